/** The program's table of contents: parse, plan, run, report. */
process.exitCode = 1;
