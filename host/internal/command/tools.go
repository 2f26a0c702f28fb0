package command

import "github.com/debug-bridge/debug-bridge/host/internal/catalog"

var (
	componentCommands = []*catalog.Command{}
)
