package secret_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/secret"
)

// The first group is a secret anywhere, the second in a configuration alone, and
// the third nowhere.
func TestNamesOfSecrets(t *testing.T) {
	t.Parallel()
	for _, group := range []struct {
		names         string
		setting, text bool
	}{
		{
			`password PASSWORD DB_PASSWORD db-password dbPassword password2 passwd PGPASSWORD passphrase passcode smtp_pwd secret CLIENT_SECRET clientSecret JWT_SECRET
			 api_key apiKey API_KEY API_KEY_1 APIKey X-Api-Key x-api-key apikey access_key AWS_SECRET_ACCESS_KEY private_key privateKey PrivateKey signing_key encryptionKey STRIPE_KEY OPENAI_KEY
			 token TOKEN GITHUB_TOKEN github_token accessToken refresh_token X-Auth-Token id_token SLACK_BOT_TOKEN --token NPM_TOKEN
			 GITHUB_PAT DATABASE_DSN SENTRY_DSN SMTP_PASS smtp_pass dbPass jwt JWT APP_JWT Authorization authorization Proxy-Authorization Cookie Set-Cookie
			 credentials AWS_CREDENTIALS creds psk wifi_psk client-key-data AUTH_SALT`,
			true, true,
		},
		{`key KEY keys my-key primary_key API_KEYS TOKENS PASSWORDS secrets auth auth-bearer pass PASS pat pageToken nextpagetoken csrftoken next_page_token csrf_token partition_key user_credential key_value password_hash`, true, false},
		{
			`MAX_TOKENS max_tokens TOKENIZER tokenizer AUTHOR authority PWD_FILE PASSWORD_FILE password_file TOKEN_URL token_url TOKEN_TTL secretName SECRET_NAME KEY_ID AWS_ACCESS_KEY_ID
			 apiKeyId token_type token_limit token_count password_length PATH PATTERN compass bypass monkey hockey KEYBOARD KEYCLOAK_URL secretary passport AWS_REGION LOG_LEVEL HOME USER
			 cookies cookie_policy connection db_connection 1234 _ signature_type`,
			false, false,
		},
	} {
		for name := range strings.FieldsSeq(group.names) {
			if got := secret.Named(name, secret.Setting); got != group.setting {
				t.Errorf("%s in a configuration: %v", name, got)
			}
			if got := secret.Named(name, secret.Text); got != group.text {
				t.Errorf("%s in a text: %v", name, got)
			}
		}
	}
	if secret.Named("", secret.Setting) {
		t.Error("no name is a secret's")
	}
	if secret.Named(strings.Repeat("a", 90)+"_password", secret.Setting) {
		t.Error("a sentence is a name")
	}
}
