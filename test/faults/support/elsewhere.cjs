// Preloaded into the program: its process seems to run on another machine.
require("node:os").hostname = () => "elsewhere";
