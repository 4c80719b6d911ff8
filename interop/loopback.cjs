"use strict";

// The servers under test bind every address of the machine. This module is loaded before
// them and keeps them on the loopback. It changes nothing else about them.
const { Server } = require("node:net");
const bind = Server.prototype._listen2;
Server.prototype._listen2 = function (_address, port, _family, ...rest) {
  return bind.call(this, "127.0.0.1", port, 4, ...rest);
};
