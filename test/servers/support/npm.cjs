/** Starts a server of a package in a folder: FOLDER PACKAGE SETTING (JSON), for one user. */
const { createReadStream, readdir, readFileSync, stat } = require("node:fs");
const { join } = require("node:path");

const [folder, name, text] = process.argv.slice(2);
const { host, port, root, user, password, cert, key } = JSON.parse(text);
const library = require(join(folder, "node_modules", name));
const credentials = cert && { cert: readFileSync(cert), key: readFileSync(key) };
const isRight = (login, secret) => login === "anonymous" || (login === user && secret === password);
const dataPorts = [40_000, 60_000];

const starts = {
  "ftp-srv"() {
    const [pasv_min, pasv_max] = dataPorts;
    const address = host.includes(":") ? `[${host}]` : host;
    const url = `ftp://${address}:${port}`;
    const options = { url, pasv_url: host, pasv_min, pasv_max, anonymous: true, tls: credentials };
    const server = new library.FtpSrv({ ...options, tls: credentials ?? false });
    server.on("login", ({ username, password: secret }, resolve, reject) =>
      isRight(username, secret) ? resolve({ root }) : reject(new Error("wrong password")),
    );
    server.listen();
  },
  ftpd() {
    const [pasvPortRangeStart, pasvPortRangeEnd] = dataPorts;
    const places = { getInitialCwd: () => "/", getRoot: () => root };
    const tls = { tlsOptions: credentials, allowUnauthorizedTls: true };
    const options = { ...places, ...tls, pasvPortRangeStart, pasvPortRangeEnd };
    const server = new library.FtpServer(host, options);
    server.on("error", (error) => process.stderr.write(`${error}\n`));
    server.on("client:connected", (connection) => {
      let login;
      connection.on("command:user", (given, accept) => {
        login = given;
        accept();
      });
      connection.on("command:pass", (secret, accept, refuse) =>
        isRight(login, secret) ? accept(login) : refuse(),
      );
    });
    server.listen(port);
  },
  "simple-ftpd"() {
    library({ host, port, root }, (session) => {
      session.on("pass", (login, secret, answer) =>
        answer(isRight(login, secret) ? null : new Error("wrong password")),
      );
      session.on("stat", stat);
      session.on("readdir", readdir);
      session.on("read", (path, start, answer) => answer(null, createReadStream(path, { start })));
    });
  },
};

// A client that hangs up must not end a server for all others.
process.on("uncaughtException", (error) => void process.stderr.write(`${error.stack}\n`));

starts[name]();
