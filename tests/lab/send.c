/*
 * send pktgen INTERFACE FROM TO FRAME_BYTES PPS PACKETS
 * send mark INTERFACE FROM TO
 *
 * Frames straight into an AF_PACKET socket: numbered from 1 and stamped as the
 * kernel's pktgen does, FRAME_BYTES with the check sequence that the card would
 * add, or three frames without a number, 100 ms apart, which show that a
 * capture was still running. FROM and TO are MAC,IPv4. Prints what was sent.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define FCS_BYTES   4
#define IP_OFFSET   14
#define UDP_OFFSET  34
#define PAYLOAD     42
#define STAMP_BYTES 16
#define MAGIC       0xbe9be955u
#define MAX_BYTES   1514u

struct end {
	uint8_t mac[6];
	uint8_t ip[4];
};

static int parse_end(const char *text, struct end *end)
{
	unsigned m[6];
	const char *comma = strchr(text, ',');

	if (comma == NULL || inet_pton(AF_INET, comma + 1, end->ip) != 1 ||
	    sscanf(text, "%x:%x:%x:%x:%x:%x", &m[0], &m[1], &m[2], &m[3], &m[4],
		   &m[5]) != 6)
		return -1;
	for (int i = 0; i < 6; i++)
		end->mac[i] = (uint8_t)m[i];
	return 0;
}

static void put16(uint8_t *p, size_t value)
{
	p[0] = (uint8_t)(value >> 8);
	p[1] = (uint8_t)value;
}

static void put32(uint8_t *p, uint64_t value)
{
	put16(p, (size_t)(value >> 16 & 0xffff));
	put16(p + 2, (size_t)(value & 0xffff));
}

static void put_ip_checksum(uint8_t *ip)
{
	uint32_t sum = 0;

	put16(ip + 10, 0);
	for (int i = 0; i < 20; i += 2)
		sum += (uint32_t)ip[i] << 8 | ip[i + 1];
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	put16(ip + 10, ~sum & 0xffff);
}

static void build(uint8_t *frame, size_t bytes, const struct end *from,
		  const struct end *to, unsigned port)
{
	uint8_t *ip = frame + IP_OFFSET, *udp = frame + UDP_OFFSET;

	memset(frame, 0, MAX_BYTES);
	memcpy(frame, to->mac, 6);
	memcpy(frame + 6, from->mac, 6);
	put16(frame + 12, 0x0800);
	ip[0] = 0x45;
	put16(ip + 2, bytes - IP_OFFSET);
	ip[8] = 64;
	ip[9] = 17;
	memcpy(ip + 12, from->ip, 4);
	memcpy(ip + 16, to->ip, 4);
	put16(udp, port);
	put16(udp + 2, port);
	put16(udp + 4, bytes - UDP_OFFSET);
}

static void number(uint8_t *frame, uint64_t n)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	put16(frame + IP_OFFSET + 4, n & 0xffff);
	put_ip_checksum(frame + IP_OFFSET);
	put32(frame + PAYLOAD, MAGIC);
	put32(frame + PAYLOAD + 4, n);
	put32(frame + PAYLOAD + 8, (uint64_t)now.tv_sec);
	put32(frame + PAYLOAD + 12, (uint64_t)now.tv_nsec / 1000);
}

static int open_link(const char *interface)
{
	int fd = socket(AF_PACKET, SOCK_RAW, 0);
	struct sockaddr_ll link = {.sll_family = AF_PACKET,
				   .sll_protocol = htons(ETH_P_IP),
				   .sll_ifindex =
				       (int)if_nametoindex(interface)};

	if (fd >= 0 && bind(fd, (struct sockaddr *)&link, sizeof(link)) != 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* A full queue is waited for: the number must not be lost here. */
static int send_frame(int fd, const uint8_t *frame, size_t bytes)
{
	while (send(fd, frame, bytes, 0) < 0) {
		struct timespec pause = {.tv_nsec = 20000};

		if (errno != ENOBUFS && errno != EAGAIN && errno != EINTR)
			return -1;
		nanosleep(&pause, NULL);
	}
	return 0;
}

static void wait_until(struct timespec start, uint64_t after_ns)
{
	struct timespec due;

	after_ns += (uint64_t)start.tv_nsec;
	due.tv_sec = start.tv_sec + (time_t)(after_ns / 1000000000);
	due.tv_nsec = (long)(after_ns % 1000000000);
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL) ==
	       EINTR)
		;
}

static int send_numbered(int fd, uint8_t *frame, size_t bytes, uint64_t pps,
			 uint64_t packets)
{
	struct timespec start;

	clock_gettime(CLOCK_MONOTONIC, &start);
	for (uint64_t i = 0; i < packets; i++) {
		wait_until(start, i * 1000000000 / pps);
		number(frame, i + 1);
		if (send_frame(fd, frame, bytes) != 0)
			return -1;
	}
	printf("%llu packets sent\n", (unsigned long long)packets);
	return 0;
}

static int send_marks(int fd, uint8_t *frame, size_t bytes)
{
	struct timespec start;

	clock_gettime(CLOCK_MONOTONIC, &start);
	put_ip_checksum(frame + IP_OFFSET);
	for (uint64_t i = 0; i < 3; i++) {
		wait_until(start, i * 100000000);
		if (send_frame(fd, frame, bytes) != 0)
			return -1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	uint8_t frame[MAX_BYTES];
	struct end from, to;
	int pktgen = argc == 8 && strcmp(argv[1], "pktgen") == 0;
	size_t bytes = pktgen ? strtoul(argv[5], NULL, 10) - FCS_BYTES : 60;
	uint64_t pps = pktgen ? strtoull(argv[6], NULL, 10) : 1;
	int fd, status;

	if ((!pktgen && argc != 5) || pps == 0 || bytes > MAX_BYTES ||
	    bytes < PAYLOAD + STAMP_BYTES || parse_end(argv[3], &from) ||
	    parse_end(argv[4], &to)) {
		fputs("usage: send pktgen INTERFACE FROM TO BYTES PPS PACKETS\n"
		      "       send mark INTERFACE FROM TO\n",
		      stderr);
		return 2;
	}
	fd = open_link(argv[2]);
	if (fd < 0) {
		perror(argv[2]);
		return 2;
	}
	build(frame, bytes, &from, &to, pktgen ? 9 : 7);
	status = pktgen ? send_numbered(fd, frame, bytes, pps,
					strtoull(argv[7], NULL, 10))
			: send_marks(fd, frame, bytes);
	if (status != 0)
		perror("send");
	close(fd);
	return status == 0 ? 0 : 2;
}
