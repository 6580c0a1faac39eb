// Connections to names and addresses of the documents' examples go to the scripted server, in this
// process or, loaded by NODE_OPTIONS, in the program's. Data connections are to 127.0.0.1 already.
const dns = require("node:dns");
const net = require("node:net");

/** An address of the documentation's, which every name has; the server's own isn't looked up. */
const elsewhere = { address: "192.0.2.1", family: 4 };

exports.begin = ({ REDIRECT_PORT }) => {
  const { connect } = net.Socket.prototype;
  const { lookup } = dns;
  dns.lookup = (...args) => (net.isIP(args[0]) ? lookup(...args) : args.at(-1)(null, [elsewhere]));
  net.Socket.prototype.connect = function (...args) {
    const options = Array.isArray(args[0]) ? args[0][0] : args[0];
    if (options.host !== "127.0.0.1")
      Object.assign(options, { host: "127.0.0.1", port: Number(REDIRECT_PORT) });
    return connect.apply(this, args);
  };
  return () => {
    net.Socket.prototype.connect = connect;
    dns.lookup = lookup;
  };
};

if (process.env.REDIRECT_PORT) exports.begin(process.env);
