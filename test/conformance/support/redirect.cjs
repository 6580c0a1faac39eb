// Connections to names and addresses of the documents' examples go to the scripted server, in this
// process or, loaded by NODE_OPTIONS, in the program's. Data connections are to 127.0.0.1 already.
const net = require("node:net");

exports.begin = ({ REDIRECT_PORT }) => {
  const { connect } = net.Socket.prototype;
  net.Socket.prototype.connect = function (...args) {
    const options = Array.isArray(args[0]) ? args[0][0] : args[0];
    if (options.host !== "127.0.0.1")
      Object.assign(options, { host: "127.0.0.1", port: Number(REDIRECT_PORT) });
    return connect.apply(this, args);
  };
  return () => void (net.Socket.prototype.connect = connect);
};

if (process.env.REDIRECT_PORT) exports.begin(process.env);
