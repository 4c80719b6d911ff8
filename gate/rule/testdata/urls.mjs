// Writes 20,000 generated texts that may be URLs, a line each, with what the URL
// Standard of WHATWG makes of them: protocol, hostname, port and pathname, or nothing
// of a text that is not a URL. TestUnderAgreesWithTheURLStandard reads the lines.
//
//	node urls.mjs | gzip -9n > urls.jsonl.gz
let state = 20261127;
function random(n) { // a linear congruential generator: the same texts on every machine
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * n);
}
const one = (list) => list[random(list.length)];
const often = (plain, list, part) => (random(100) < part ? one(list) : plain);

const schemes = ["https", "http", "HTTPS", "hTTp", "ws", "wss", "ftp", "file", "onestep", "ht\ttps", " https", "\nhttp", "https+x"];
const slashes = ["://", ":/", ":", ":\\\\", ":/\\", ":///", ":////", "//", "\\\\", ":/\t/", ":\n//"];
const users = ["ada@", "ada:pw@", "example.com@", "example.com:443@", "%40@", "a@b@", "@", ":@", "ada;x@", "other.test\\@", "other.test#@", "other.test?@", "other.test/@"];
const names = [
  "example.com", "other.test", "sub.example.com", "example.com.other.test", "example.org", "xn--bcher-kva.example", "docs.example.com", "example-com.test",
];
const odd = [
  "EXAMPLE.com", "Example.Com", "example.com.", "example.com..", ".example.com", "ex%61mple.com", "example%2ecom", "example。com", "ｅxample.com", "exam\u00adple.com",
  "exam\tple.com", "example.com\u3002", "BÜCHER.example", "bücher.example", "straße.example", "xn--BCHER-kva.example", "xn--example-.com", "xn--strae-oqa.example",
  "example .com", "example.com%00", "example.com%20", "example.com:", "[::1]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[0::1]",
  "[::1%25lo]", "[2001:db8::1]", "[2001:DB8:0::1]", "[::]", "-example.com", "example.com-", "ex_ample.com", "", "%", "example.com;x",
];
const segments = ["a", "a", "b", "index.html", "a-b", "admin", "v1"];
const tricky = [
  ".", "..", "", "%2e", "%2E%2e", ".%2e", "%2e.", "...", "..;", ".;x", "a;x=1", "admin;", ";", "A", "ADMIN", "a%2fb", "%2f", "%5c", "a\\b", "..\\", "\\..", "a.", "a..", "%61", "%41dmin",
  "a\tb", ".\t.", ".\n", "a b", " ", "é", "%c3%a9", "%00", "%", "%2", "%252e%252e", "a:b", "a@b", "~", "a|", "*", "a+b", "..%3b", "..%00", ".. ", "a%20",
];
const ends = ["?q=1", "?q=a/../b", "#f", "#f/../a", "?@example.com/", "#@example.com/", "?\\", "#/../a", "?q=%2f", "/", "//", "?", "#", " ", "\n", "\t/..", "?q= x"];

function address() { // 127.0.0.1, or one near it, in some spelling
  const bytes = one([[127, 0, 0, 1], [127, 0, 0, 1], [192, 0, 2, 7], [10, 0, 0, 1], [0, 0, 0, 0]]);
  const parts = 1 + random(4);
  const values = bytes.slice(0, parts - 1);
  values.push(bytes.slice(parts - 1).reduce((sum, b) => sum * 256 + b, 0));
  const spelt = values.map((v) => one([`${v}`, `${v}`, `${v}`, `0x${v.toString(16)}`, `0X${v.toString(16)}`, `0${v.toString(8)}`, `00${v}`]));
  return spelt.join(".") + often("", [".", "..", "x", ".5", "%2e"], 8);
}
function host() {
  const kind = random(100);
  if (kind < 60) return one(names);
  if (kind < 75) return one(["127.0.0.1", "127.0.0.1", "192.0.2.7", "[::1]"]);
  return kind < 88 ? address() : one(odd);
}
function path() {
  let text = "";
  for (let n = random(5); n > 0; n--) text += often("/", ["\\", "//", "/\t"], 3) + often(one(segments), tricky, 15);
  return text;
}
function url() {
  const port = often("", [":443", ":80", ":8443", ":8443", ":08443", ":", ":0", ":65536", ":73979", ":8443x", ":-1"], 30);
  const text = often("https", schemes, 20) + often("://", slashes, 8) + often("", users, 6) + host() + port + path() + often("", ends, 20);
  return often("", ["\u0000", " ", "\n", "\t", "url:", "/", "view+"], 2) + text;
}

const seen = new Set();
while (seen.size < 20000) {
  const text = url();
  if (seen.has(text)) continue;
  seen.add(text);
  let line = [text];
  try {
    const is = new URL(text);
    line = [text, is.protocol, is.hostname, is.port, is.pathname];
  } catch {}
  process.stdout.write(JSON.stringify(line) + "\n");
}
