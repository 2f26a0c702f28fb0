package client

import (
	"context"
	"net"

	"github.com/Microsoft/go-winio"
)

func dialNative(ctx context.Context, socket string) (net.Conn, error) {
	return winio.DialPipeContext(ctx, socket)
}
