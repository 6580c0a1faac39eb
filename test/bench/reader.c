/*
 * reader PORT PATHNAME FILE - fetches a file from an FTP server on loopback, with as little
 * work as that can be done: one read and one write for each MiB. What is faster isn't a client.
 */
#include <arpa/inet.h>
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static char buffer[1 << 20];

static int connect_to(int port)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (connect(fd, (struct sockaddr *)&address, sizeof address) < 0) err(1, "port %d", port);
	return fd;
}

/* Sends a command, if there is one, and returns the line of the reply that begins with the code. */
static const char *ask(FILE *control, const char *command, const char *argument, const char *code)
{
	static char line[4096];

	if (command) fprintf(control, "%s%s\r\n", command, argument);
	fflush(control);
	while (fgets(line, sizeof line, control))
		if (line[0] == code[0] && line[1] == code[1] && line[2] == code[2] && line[3] == ' ') return line;
	errx(1, "%s: no %s", command ? command : "greeting", code);
}

int main(int count, char **words)
{
	FILE *control;
	ssize_t length;
	int port, data, file;

	if (count != 4) errx(2, "usage: reader PORT PATHNAME FILE");
	control = fdopen(connect_to(atoi(words[1])), "r+");
	ask(control, NULL, NULL, "220");
	ask(control, "USER ", "anonymous", "331");
	ask(control, "PASS ", "reader@", "230");
	ask(control, "TYPE ", "I", "200");
	if (sscanf(ask(control, "EPSV", "", "229"), "229 %*[^(](|||%d|)", &port) != 1) errx(1, "EPSV");
	data = connect_to(port);
	ask(control, "RETR ", words[2], "150");
	file = open(words[3], O_WRONLY | O_CREAT | O_TRUNC, 0644);
	while ((length = read(data, buffer, sizeof buffer)) > 0)
		if (write(file, buffer, length) != length) err(1, "%s", words[3]);
	ask(control, NULL, NULL, "226");
	return length != 0;
}
