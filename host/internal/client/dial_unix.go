//go:build unix

package client

import (
	"context"
	"net"
)

func dialNative(ctx context.Context, socket string) (net.Conn, error) {
	var dialer net.Dialer
	return dialer.DialContext(ctx, "unix", socket)
}
