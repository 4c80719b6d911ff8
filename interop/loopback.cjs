"use strict";

// The servers under test bind every address of the machine. Loaded before
// them, this keeps them on the loopback; nothing else of theirs is changed.
const { Server } = require("node:net");
const bind = Server.prototype._listen2;
Server.prototype._listen2 = function (_address, port, _family, ...rest) {
  return bind.call(this, "127.0.0.1", port, 4, ...rest);
};
