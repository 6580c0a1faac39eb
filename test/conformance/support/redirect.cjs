// Loaded into the program by NODE_OPTIONS: connections to names and addresses of the documents'
// examples go to the scripted server. Data connections are to 127.0.0.1 already.
const net = require("node:net");

const { connect } = net.Socket.prototype;

net.Socket.prototype.connect = function (...args) {
  const options = Array.isArray(args[0]) ? args[0][0] : args[0];
  if (options.host !== "127.0.0.1") {
    options.host = "127.0.0.1";
    options.port = Number(process.env.REDIRECT_PORT);
  }
  return connect.apply(this, args);
};
