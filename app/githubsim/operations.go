package githubsim

type audience int

const (
	anyone         audience = iota
	asApp                   // a JWT of the App
	asInstallation          // an installation token
	asUser                  // a user token of the App
	asRepository            // any caller with the permission on the repository
)

type operation struct {
	route string // a pattern of http.ServeMux, with GitHub's path
	as    audience
	needs string // alternatives: "issues:write|pull_requests:write"
	do    func(*call) reply
}

// operations has an entry for each operation of the description, by its id; a test compares them.
var operations map[string]operation

// The table is filled in init because its handlers refer to it indirectly.
func init() {
	operations = map[string]operation{
		"apps/get-authenticated":                              {"GET /app", asApp, "", getApp},
		"apps/create-from-manifest":                           {"POST /app-manifests/{code}/conversions", anyone, "", convertManifest},
		"apps/get-webhook-config-for-app":                     {"GET /app/hook/config", asApp, "", getHook},
		"apps/list-webhook-deliveries":                        {"GET /app/hook/deliveries", asApp, "", listDeliveries},
		"apps/redeliver-webhook-delivery":                     {"POST /app/hook/deliveries/{delivery_id}/attempts", asApp, "", redeliver},
		"apps/list-installations":                             {"GET /app/installations", asApp, "", listInstallations},
		"apps/get-installation":                               {"GET /app/installations/{installation_id}", asApp, "", getInstallation},
		"apps/create-installation-access-token":               {"POST /app/installations/{installation_id}/access_tokens", asApp, "", createToken},
		"apps/list-repos-accessible-to-installation":          {"GET /installation/repositories", asInstallation, "", listInstalled},
		"apps/list-installations-for-authenticated-user":      {"GET /user/installations", asUser, "", listMine},
		"apps/list-installation-repos-for-authenticated-user": {"GET /user/installations/{installation_id}/repositories", asUser, "", listMyInstalled},
		"rate-limit/get":                                      {"GET /rate_limit", anyone, "", getLimits},
		"repos/get":                                           {"GET /repos/{owner}/{repo}", asRepository, "metadata:read", getRepository},
		"repos/get-branch":                                    {"GET /repos/{owner}/{repo}/branches/{branch...}", asRepository, "contents:read", getBranch},
		"repos/list-commits":                                  {"GET /repos/{owner}/{repo}/commits", asRepository, "contents:read", listCommits},
		"repos/compare-commits-with-basehead":                 {"GET /repos/{owner}/{repo}/compare/{basehead...}", asRepository, "contents:read", compare},
		"repos/list-pull-requests-associated-with-commit":     {"GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls", asRepository, "pull_requests:read", listPullsOfCommit},
		"git/create-blob":                                     {"POST /repos/{owner}/{repo}/git/blobs", asRepository, "contents:write", createBlob},
		"git/create-tree":                                     {"POST /repos/{owner}/{repo}/git/trees", asRepository, "contents:write", createTree},
		"git/get-tree":                                        {"GET /repos/{owner}/{repo}/git/trees/{tree_sha}", asRepository, "contents:read", getTree},
		"git/create-commit":                                   {"POST /repos/{owner}/{repo}/git/commits", asRepository, "contents:write", createCommit},
		"git/get-commit":                                      {"GET /repos/{owner}/{repo}/git/commits/{commit_sha}", asRepository, "contents:read", getGitCommit},
		"git/get-ref":                                         {"GET /repos/{owner}/{repo}/git/ref/{ref...}", asRepository, "contents:read", getRef},
		"git/create-ref":                                      {"POST /repos/{owner}/{repo}/git/refs", asRepository, "contents:write", createRef},
		"git/update-ref":                                      {"PATCH /repos/{owner}/{repo}/git/refs/{ref...}", asRepository, "contents:write", updateRef},
		"git/delete-ref":                                      {"DELETE /repos/{owner}/{repo}/git/refs/{ref...}", asRepository, "contents:write", deleteRef},
		"pulls/list":                                          {"GET /repos/{owner}/{repo}/pulls", asRepository, "pull_requests:read", listPulls},
		"pulls/create":                                        {"POST /repos/{owner}/{repo}/pulls", asRepository, "pull_requests:write", createPull},
		"pulls/get":                                           {"GET /repos/{owner}/{repo}/pulls/{pull_number}", asRepository, "pull_requests:read", getPull},
		"pulls/update":                                        {"PATCH /repos/{owner}/{repo}/pulls/{pull_number}", asRepository, "pull_requests:write", updatePull},
		"pulls/list-files":                                    {"GET /repos/{owner}/{repo}/pulls/{pull_number}/files", asRepository, "pull_requests:read", listPullFiles},
		"issues/list-comments":                                {"GET /repos/{owner}/{repo}/issues/{issue_number}/comments", asRepository, "issues:read|pull_requests:read", listComments},
		"issues/create-comment":                               {"POST /repos/{owner}/{repo}/issues/{issue_number}/comments", asRepository, "issues:write|pull_requests:write", createComment},
		"issues/update-comment":                               {"PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}", asRepository, "issues:write|pull_requests:write", updateComment},
		"issues/delete-comment":                               {"DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}", asRepository, "issues:write|pull_requests:write", deleteComment},
		"reactions/list-for-issue-comment":                    {"GET /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions", asRepository, "issues:read|pull_requests:read", listReactions},
		"reactions/create-for-issue-comment":                  {"POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions", asRepository, "issues:write|pull_requests:write", createReaction},
		"repos/get-collaborator-permission-level":             {"GET /repos/{owner}/{repo}/collaborators/{username}/permission", asRepository, "metadata:read", getAccess},
		"pulls/list-reviews":                                  {"GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews", asRepository, "pull_requests:read", listReviews},
		"pulls/create-review":                                 {"POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews", asRepository, "pull_requests:write", createReview},
		"pulls/list-comments-for-review":                      {"GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/comments", asRepository, "pull_requests:read", listReviewRemarks},
		"pulls/list-review-comments":                          {"GET /repos/{owner}/{repo}/pulls/{pull_number}/comments", asRepository, "pull_requests:read", listRemarks},
		"checks/create":                                       {"POST /repos/{owner}/{repo}/check-runs", asRepository, "checks:write", createCheck},
		"checks/update":                                       {"PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}", asRepository, "checks:write", updateCheck},
		"checks/list-for-ref":                                 {"GET /repos/{owner}/{repo}/commits/{ref}/check-runs", asRepository, "checks:read", listChecks},
		"checks/list-annotations":                             {"GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations", asRepository, "checks:read", listAnnotations},
	}
}
