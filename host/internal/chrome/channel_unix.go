//go:build unix

package chrome

import (
	"errors"
	"os"
	"os/exec"

	"github.com/debug-bridge/debug-bridge/host/internal/cdp"
	"github.com/debug-bridge/debug-bridge/host/internal/cdp/pipe"
)

// channelFlags ask Chrome to speak on descriptors 3 (to it) and 4 (from it).
var channelFlags = []string{"--remote-debugging-pipe"}

// channel is the pair of pipes.
type channel struct{ to, from, theirRead, theirWrite *os.File }

func openChannel(cmd *exec.Cmd) (*channel, error) {
	var c channel
	var err, failed error
	if c.theirRead, c.to, err = os.Pipe(); err != nil {
		return nil, err
	}
	if c.from, c.theirWrite, failed = os.Pipe(); failed != nil {
		return nil, errors.Join(failed, c.theirRead.Close(), c.to.Close())
	}
	widen(c.to)
	widen(c.from)
	cmd.ExtraFiles = []*os.File{c.theirRead, c.theirWrite}
	return &c, nil
}

// started lets go of the browser's ends: with them open here, its end would not be seen.
func (c *channel) started() {
	_ = c.theirRead.Close()
	_ = c.theirWrite.Close()
}

func (c *channel) close() {
	_ = c.to.Close()
	_ = c.from.Close()
}

func (c *channel) transport(*Process) cdp.Transport { return pipe.New(c.to, c.from) }
