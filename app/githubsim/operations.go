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
	as    audience
	needs string // alternatives: "issues:write|pull_requests:write"
	do    func(*call) reply
}

// operations has an entry for each operation of the description; a test compares them.
var operations map[string]operation

// The table is filled in init because its handlers refer to it indirectly.
func init() {
	operations = map[string]operation{
		"apps/get-authenticated":                              {asApp, "", getApp},
		"apps/create-from-manifest":                           {anyone, "", convertManifest},
		"apps/get-webhook-config-for-app":                     {asApp, "", getHook},
		"apps/list-webhook-deliveries":                        {asApp, "", listDeliveries},
		"apps/redeliver-webhook-delivery":                     {asApp, "", redeliver},
		"apps/list-installations":                             {asApp, "", listInstallations},
		"apps/get-installation":                               {asApp, "", getInstallation},
		"apps/create-installation-access-token":               {asApp, "", createToken},
		"apps/list-repos-accessible-to-installation":          {asInstallation, "", listInstalled},
		"apps/list-installations-for-authenticated-user":      {asUser, "", listMine},
		"apps/list-installation-repos-for-authenticated-user": {asUser, "", listMyInstalled},
		"rate-limit/get":                                      {anyone, "", getLimits},
		"repos/get":                                           {asRepository, "metadata:read", getRepository},
		"repos/get-branch":                                    {asRepository, "contents:read", getBranch},
		"repos/list-commits":                                  {asRepository, "contents:read", listCommits},
		"repos/compare-commits-with-basehead":                 {asRepository, "contents:read", compare},
		"repos/list-pull-requests-associated-with-commit":     {asRepository, "pull_requests:read", listPullsOfCommit},
		"git/create-blob":                                     {asRepository, "contents:write", createBlob},
		"git/create-tree":                                     {asRepository, "contents:write", createTree},
		"git/get-tree":                                        {asRepository, "contents:read", getTree},
		"git/create-commit":                                   {asRepository, "contents:write", createCommit},
		"git/get-commit":                                      {asRepository, "contents:read", getGitCommit},
		"git/get-ref":                                         {asRepository, "contents:read", getRef},
		"git/create-ref":                                      {asRepository, "contents:write", createRef},
		"git/update-ref":                                      {asRepository, "contents:write", updateRef},
		"git/delete-ref":                                      {asRepository, "contents:write", deleteRef},
		"pulls/list":                                          {asRepository, "pull_requests:read", listPulls},
		"pulls/create":                                        {asRepository, "pull_requests:write", createPull},
		"pulls/get":                                           {asRepository, "pull_requests:read", getPull},
		"pulls/update":                                        {asRepository, "pull_requests:write", updatePull},
		"pulls/list-files":                                    {asRepository, "pull_requests:read", listPullFiles},
		"issues/list-comments":                                {asRepository, "issues:read|pull_requests:read", listComments},
		"issues/create-comment":                               {asRepository, "issues:write|pull_requests:write", createComment},
		"issues/update-comment":                               {asRepository, "issues:write|pull_requests:write", updateComment},
		"issues/delete-comment":                               {asRepository, "issues:write|pull_requests:write", deleteComment},
		"reactions/list-for-issue-comment":                    {asRepository, "issues:read|pull_requests:read", listReactions},
		"reactions/create-for-issue-comment":                  {asRepository, "issues:write|pull_requests:write", createReaction},
		"repos/get-collaborator-permission-level":             {asRepository, "metadata:read", getAccess},
		"pulls/list-reviews":                                  {asRepository, "pull_requests:read", listReviews},
		"pulls/create-review":                                 {asRepository, "pull_requests:write", createReview},
		"pulls/list-comments-for-review":                      {asRepository, "pull_requests:read", listReviewRemarks},
		"pulls/list-review-comments":                          {asRepository, "pull_requests:read", listRemarks},
		"checks/create":                                       {asRepository, "checks:write", createCheck},
		"checks/update":                                       {asRepository, "checks:write", updateCheck},
		"checks/list-for-ref":                                 {asRepository, "checks:read", listChecks},
		"checks/list-annotations":                             {asRepository, "checks:read", listAnnotations},
	}
}
