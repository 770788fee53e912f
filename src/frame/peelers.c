#include "frame/peel.h"

/* Looked up from the top: the frequent ones first. */
const struct cd_peeler cd_peelers[] = {
    {CD_PEEL_LINK + CD_LINK_ETHERNET, cd_peel_ethernet},
    {CD_PEEL_TYPE + CD_TYPE_IPV4, cd_peel_ipv4},
    {CD_PEEL_IP + CD_IP_UDP, cd_peel_udp},
    {CD_PEEL_TYPE + CD_TYPE_IPV6, cd_peel_ipv6},
    {CD_PEEL_TYPE + CD_TYPE_VLAN, cd_peel_vlan},
    {CD_PEEL_IP + CD_IP_TCP, cd_peel_tcp},
    {CD_PEEL_IP + CD_IP_ICMP, cd_peel_icmp},
    {CD_PEEL_IP + CD_IP_ICMPV6, cd_peel_icmp},
    {CD_PEEL_LINK + CD_LINK_SLL, cd_peel_sll},
    {CD_PEEL_LINK + CD_LINK_SLL2, cd_peel_sll2},
    {CD_PEEL_LINK + CD_LINK_NULL, cd_peel_null},
    {CD_PEEL_LINK + CD_LINK_LOOP, cd_peel_null},
    {CD_PEEL_LINK + CD_LINK_RAW, cd_peel_raw},
    /* DLT_RAW as BSD and OpenBSD number it, met in files */
    {CD_PEEL_LINK + 12, cd_peel_raw},
    {CD_PEEL_LINK + 14, cd_peel_raw},
    {CD_PEEL_LINK + CD_LINK_IPV4, cd_peel_raw},
    {CD_PEEL_LINK + CD_LINK_IPV6, cd_peel_raw},
    {CD_PEEL_TYPE + CD_TYPE_QINQ, cd_peel_vlan},
    {CD_PEEL_TYPE + CD_TYPE_QINQ_OLD, cd_peel_vlan},
    {CD_PEEL_TYPE + CD_TYPE_MPLS, cd_peel_mpls},
    {CD_PEEL_TYPE + CD_TYPE_MPLS_UPSTREAM, cd_peel_mpls},
    {0, NULL},
};
