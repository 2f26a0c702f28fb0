package fault

// The codes of protocol v1.
const (
	ValidationError         Code = "VALIDATION_ERROR"
	UnknownType             Code = "UNKNOWN_TYPE"
	TargetAmbiguous         Code = "TARGET_AMBIGUOUS"
	SessionNotFound         Code = "SESSION_NOT_FOUND"
	ContextNotFound         Code = "CONTEXT_NOT_FOUND"
	PageNotFound            Code = "PAGE_NOT_FOUND"
	ElementNotFound         Code = "ELEMENT_NOT_FOUND"
	NetworkRequestNotFound  Code = "NETWORK_REQUEST_NOT_FOUND"
	ConsoleMessageNotFound  Code = "CONSOLE_MESSAGE_NOT_FOUND"
	DialogNotOpen           Code = "DIALOG_NOT_OPEN"
	TraceNotFound           Code = "TRACE_NOT_FOUND"
	TokenNotFound           Code = "TOKEN_NOT_FOUND"
	Timeout                 Code = "TIMEOUT"
	ContextLockTimeout      Code = "CONTEXT_LOCK_TIMEOUT"
	Indeterminate           Code = "INDETERMINATE"
	SessionAlreadyRunning   Code = "SESSION_ALREADY_RUNNING"
	RequestIDConflict       Code = "REQUEST_ID_CONFLICT"
	PageLeased              Code = "PAGE_LEASED"
	TraceAlreadyRunning     Code = "TRACE_ALREADY_RUNNING"
	ContextLeaseExpired     Code = "CONTEXT_LEASE_EXPIRED"
	DialogBlocking          Code = "DIALOG_BLOCKING"
	TargetOutOfView         Code = "TARGET_OUT_OF_VIEW"
	TargetObscured          Code = "TARGET_OBSCURED"
	TargetNotInteractable   Code = "TARGET_NOT_INTERACTABLE"
	TargetStale             Code = "TARGET_STALE"
	ActionNoEffect          Code = "ACTION_NO_EFFECT"
	BrowserLaunchFailed     Code = "BROWSER_LAUNCH_FAILED"
	FileAccessFailed        Code = "FILE_ACCESS_FAILED"
	NativeHostNotInstalled  Code = "NATIVE_HOST_NOT_INSTALLED"
	ProtocolError           Code = "PROTOCOL_ERROR"
	CDPError                Code = "CDP_ERROR"
	VersionMismatch         Code = "VERSION_MISMATCH"
	ResultTooLarge          Code = "RESULT_TOO_LARGE"
	Busy                    Code = "BUSY"
	RateLimited             Code = "RATE_LIMITED"
	NavigationInterrupted   Code = "NAVIGATION_INTERRUPTED"
	NotConnected            Code = "NOT_CONNECTED"
	CapabilityMissing       Code = "CAPABILITY_MISSING"
	PolicyDenied            Code = "POLICY_DENIED"
	EvalDisabled            Code = "EVAL_DISABLED"
	Unauthorized            Code = "UNAUTHORIZED"
	DaemonUnavailable       Code = "DAEMON_UNAVAILABLE"
	CDPDisconnected         Code = "CDP_DISCONNECTED"
	ExtensionNotConnected   Code = "EXTENSION_NOT_CONNECTED"
	InternalError           Code = "INTERNAL_ERROR"
	ContextResolutionFailed Code = "CONTEXT_RESOLUTION_FAILED"
	Cancelled               Code = "CANCELLED"
)

// table is the single source of exit statuses, HTTP statuses and suggestions (docs/errors.md is made from it).
var table = index([]Row{
	{ValidationError, 2, 400, false, "The command or a parameter is not valid.", []string{"Check the parameters with `dbridge errors VALIDATION_ERROR` and docs/protocol.md, then send the corrected command."}},
	{UnknownType, 2, 400, false, "The message type is not part of protocol v1.", []string{"See docs/protocol.md for the message types."}},
	{TargetAmbiguous, 2, 400, false, "More than one element matches the target; nothing was done.", []string{"Use the `ref` of one of the candidates in `details.candidates`."}},
	{SessionNotFound, 3, 404, false, "No such session.", []string{"List sessions with `dbridge daemon status`."}},
	{ContextNotFound, 3, 404, false, "No such context.", []string{"Run the command without `--context-id`."}},
	{PageNotFound, 3, 404, false, "No such page; it may have been closed.", []string{"Use a `pageId` from the latest `welcome` or `hello`."}},
	{ElementNotFound, 3, 404, false, "No element matches the target.", []string{"Look again, and use a `ref` from what you see: `dbridge capture snapshot --interactive-only`, or `request_ui_tree` over the WebSocket."}},
	{NetworkRequestNotFound, 3, 404, false, "No such network request.", []string{"List requests again; old ones may have been dropped."}},
	{ConsoleMessageNotFound, 3, 404, false, "No such console message.", []string{"List messages again; old ones may have been dropped."}},
	{DialogNotOpen, 3, 404, false, "No dialog is open.", []string{"Continue without handling a dialog."}},
	{TraceNotFound, 3, 404, false, "No such trace.", []string{"Record a trace first."}},
	{TokenNotFound, 3, 404, false, "No token of that name.", []string{"List tokens with `dbridge token list`."}},
	{Timeout, 4, 504, true, "The time limit passed before the command was done.", []string{"Send it again, with a larger `timeoutMs` if the page is slow."}},
	{ContextLockTimeout, 4, 504, true, "Another command of the same context did not finish in time.", []string{"Send the command again."}},
	{Indeterminate, 4, 504, false, "The page got the command, and its result was lost: nobody knows whether it ran.", []string{"Look at the page before you repeat the command: `dbridge observe state`, or `request_ui_tree` over the WebSocket (and then under a new requestId)."}},
	{SessionAlreadyRunning, 5, 409, false, "The session runs already.", []string{"Use the running session."}},
	{RequestIDConflict, 5, 409, false, "The requestId was used before for another command; nothing ran.", []string{"Choose a new requestId."}},
	{PageLeased, 5, 409, true, "Another agent holds the page.", []string{"Wait for the other agent, or use another page."}},
	{TraceAlreadyRunning, 5, 409, false, "A trace is being recorded.", []string{"Stop the running trace first."}},
	{ContextLeaseExpired, 5, 409, false, "The context's lease ended.", []string{"Run the command again; it starts a new lease."}},
	{DialogBlocking, 5, 409, false, "A dialog is open in the page and blocks it.", []string{"Answer the dialog in the browser, then send the command again."}},
	{TargetOutOfView, 5, 409, false, "The element cannot be brought into view.", []string{"Scroll its container first, or choose another element."}},
	{TargetObscured, 5, 409, false, "Another element covers the target.", []string{"Close or move what covers it (named in `details.coveredBy`), then try again."}},
	{TargetNotInteractable, 5, 409, false, "The element is hidden, disabled or not of the kind the command needs.", []string{"See `details.check` for what failed; look again: `dbridge capture snapshot --interactive-only`, or `request_ui_tree` over the WebSocket."}},
	{TargetStale, 5, 409, false, "The element of this ref is gone or has changed into another one.", []string{"Look again, and use a `ref` from what you see: `dbridge capture snapshot --interactive-only`, or `request_ui_tree` over the WebSocket."}},
	{ActionNoEffect, 5, 409, false, "The page did not take the action.", []string{"Look at the element again: `dbridge observe find TEXT`, or `request_ui_tree` over the WebSocket."}},
	{BrowserLaunchFailed, 6, 502, false, "The browser could not be started.", []string{"Run `dbridge doctor`."}},
	{FileAccessFailed, 6, 502, false, "A file or folder cannot be used.", []string{"See `details.path`; correct its owner or mode, or set DBRIDGE_HOME to another folder."}},
	{NativeHostNotInstalled, 6, 502, false, "The browser does not know the native messaging host.", []string{"Run `dbridge install`."}},
	{ProtocolError, 7, 502, false, "A message is not one JSON object of protocol v1.", []string{"Send one JSON object per text message; see docs/protocol.md."}},
	{CDPError, 7, 502, false, "The browser refused a DevTools command.", []string{"See `details` for the browser's own words."}},
	{VersionMismatch, 7, 502, false, "Two parts of Debug Bridge are of versions that do not work together.", []string{"Update both: run `dbridge install`, then reload the extension at chrome://extensions."}},
	{ResultTooLarge, 7, 502, false, "The result is larger than the limit.", []string{"Ask for less: a smaller part of the page, or a shorter expression result."}},
	{Busy, 8, 503, true, "Too much is queued; nothing of this command ran.", []string{"Send the command again in a moment."}},
	{RateLimited, 8, 503, true, "Too many attempts.", []string{"Wait a second and try again."}},
	{NavigationInterrupted, 8, 503, true, "The page navigated away before the command was done.", []string{"Send the command again to the new document if it still applies."}},
	{NotConnected, 9, 403, false, "The person has not connected this tab, or has taken the consent back.", []string{"Ask the person to click Connect in the Debug Bridge popup of that tab."}},
	{CapabilityMissing, 9, 403, false, "The page's level of consent does not include this.", []string{"Ask the person to connect the tab at the level named in `details.level`."}},
	{PolicyDenied, 9, 403, false, "A policy refuses this.", []string{"Choose another way; the policy is the person's decision."}},
	{EvalDisabled, 9, 403, false, "Evaluating scripts is switched off for this page.", []string{"Use commands other than `evaluate`, or ask the person to switch it on."}},
	{Unauthorized, 9, 401, false, "The token is missing or not valid.", []string{"Make a token with `dbridge token new NAME` and send it as `Authorization: Bearer TOKEN`."}},
	{DaemonUnavailable, 10, 503, true, "The daemon does not run or does not answer.", []string{"Start it with `dbridge daemon start`."}},
	{CDPDisconnected, 10, 503, true, "The browser's debugger connection ended before the command was sent.", []string{"Send the command again."}},
	{ExtensionNotConnected, 10, 503, true, "No browser with the extension is connected.", []string{"Start the browser, or run `dbridge doctor` to find the broken hop."}},
	{InternalError, 11, 500, false, "A fault in Debug Bridge itself.", []string{"See `dbridge daemon logs`, and report the message."}},
	{ContextResolutionFailed, 11, 500, false, "The caller's context cannot be found out.", []string{"Set DBRIDGE_CONTEXT_ID."}},
	{Cancelled, 4, 504, false, "The command was cancelled before it was done.", []string{"Send it again under a new requestId if it is still wanted."}},
})

func index(rows []Row) map[Code]Row {
	byCode := make(map[Code]Row, len(rows))
	for _, row := range rows {
		byCode[row.Code] = row
	}
	return byCode
}
