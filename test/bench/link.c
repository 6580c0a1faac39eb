/*
 * link ADDRESS ADDRESS ONE_WAY_MS - a long line between two network namespaces that it makes.
 *
 * Prints two descriptors of its own, for `nsenter --net=/proc/PID/fd/N`, once both ends are up
 * under their addresses (each other's neighbours in a /24), and carries packets until it is
 * killed; nothing is left behind then. Packets arrive ONE_WAY_MS late, none is lost.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <err.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { most_octets = 1500, most_packets = 8192 };

struct packet {
	int64_t due;
	ssize_t length;
	char octets[most_octets];
};

/* Packets on their way, in the order in which they left and will arrive. */
struct direction {
	int from, to;
	struct packet *packets;
	unsigned first, count;
};

static int64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void configure(struct ifreq *request, const char *address)
{
	struct sockaddr_in *in = (struct sockaddr_in *)&request->ifr_addr;
	int any = socket(AF_INET, SOCK_DGRAM, 0);

	memset(in, 0, sizeof *in);
	in->sin_family = AF_INET;
	inet_pton(AF_INET, address, &in->sin_addr);
	if (ioctl(any, SIOCSIFADDR, request) < 0) err(1, "%s", address);
	inet_pton(AF_INET, "255.255.255.0", &in->sin_addr);
	if (ioctl(any, SIOCSIFNETMASK, request) < 0) err(1, "netmask");
	request->ifr_flags = IFF_UP;
	if (ioctl(any, SIOCSIFFLAGS, request) < 0) err(1, "up");
	close(any);
}

/* Enters a new namespace, gives it one end of the line, and returns that end's device. */
static int make_end(const char *address, int *namespace)
{
	struct ifreq request = {.ifr_name = "line", .ifr_flags = IFF_TUN | IFF_NO_PI};
	int device;

	if (unshare(CLONE_NEWNET) < 0) err(1, "unshare");
	if ((*namespace = open("/proc/self/ns/net", O_RDONLY)) < 0) err(1, "namespace");
	if ((device = open("/dev/net/tun", O_RDWR | O_NONBLOCK)) < 0) err(1, "/dev/net/tun");
	if (ioctl(device, TUNSETIFF, &request) < 0) err(1, "TUNSETIFF");
	configure(&request, address);
	return device;
}

static void take(struct direction *way, int64_t delay)
{
	while (way->count < most_packets) {
		struct packet *packet = &way->packets[(way->first + way->count) % most_packets];

		packet->length = read(way->from, packet->octets, most_octets);
		if (packet->length <= 0) return;
		packet->due = now() + delay;
		way->count++;
	}
}

/* Hands over what has arrived; returns the nanoseconds until more will have. */
static int64_t give(struct direction *way)
{
	for (; way->count > 0; way->count--) {
		struct packet *packet = &way->packets[way->first];
		int64_t wait = packet->due - now();

		if (wait > 0) return wait;
		if (write(way->to, packet->octets, packet->length) < 0) warn("write");
		way->first = (way->first + 1) % most_packets;
	}
	return INT64_MAX;
}

int main(int count, char **words)
{
	struct direction there = {0}, back = {0};
	int near, far;
	int64_t delay;

	if (count != 4) errx(2, "usage: link ADDRESS ADDRESS ONE_WAY_MS");
	delay = atof(words[3]) * 1e6;
	there.from = back.to = make_end(words[1], &near);
	there.to = back.from = make_end(words[2], &far);
	there.packets = calloc(most_packets, sizeof *there.packets);
	back.packets = calloc(most_packets, sizeof *back.packets);
	printf("%d %d\n", near, far);
	fflush(stdout);
	for (;;) {
		int64_t first = give(&there), second = give(&back);
		int64_t wait = first < second ? first : second;
		struct timespec t = {wait / 1000000000, wait % 1000000000};
		struct pollfd ends[] = {{there.from, POLLIN, 0}, {back.from, POLLIN, 0}};

		ppoll(ends, 2, wait == INT64_MAX ? NULL : &t, NULL);
		take(&there, delay);
		take(&back, delay);
	}
}
