package login

import "testing"

func TestWhichAddressesAreTheSame(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		a, b        string
		same, slash bool
	}{
		{"https://as.example", "https://as.example", true, true},
		{"https://as.example", "https://as.example/", true, true},
		{"HTTPS://AS.Example", "https://as.example", true, true},
		{"https://as.example:443", "https://as.example/", true, true},
		{"https://as.example:/", "https://as.example", true, true},
		{"http://127.0.0.1:80", "http://127.0.0.1", true, true},
		{"https://[2001:DB8::1]:443/t", "https://[2001:db8::1]/t", true, true},
		{"https://AS.example:443/Tenant", "https://as.example/Tenant", true, true},
		{"https://as.example/tenant", "https://as.example/tenant/", false, true},
		{"https://as.example/a/tenant/", "https://as.example/a/tenant", false, true},

		{"https://as.example/Tenant", "https://as.example/tenant", false, false},
		{"https://as.example:8443", "https://as.example", false, false},
		{"https://as.example:80", "https://as.example", false, false},
		{"http://as.example", "https://as.example", false, false},
		{"http://as.example:443", "https://as.example", false, false},
		{"https://as.example.", "https://as.example", false, false},
		{"https://as.example.evil.example", "https://as.example", false, false},
		{"https://as.example/tenant//", "https://as.example/tenant", false, false},
		{"https://as.example/a/../tenant", "https://as.example/tenant", false, false},
		{"https://as.example/%74enant", "https://as.example/tenant", false, false},
		{"https://as.example/a%2fb", "https://as.example/a/b", false, false},
		{"https://as.example?x", "https://as.example", false, false},
		{"https://as.example?", "https://as.example?", false, false},
		{"https://as.example#", "https://as.example", false, false},
		{"https://a@as.example", "https://as.example", false, false},
		{"https://as.example/", "https://as.example/tenant", false, false},
		{"", "", false, false},
		{"", "https://as.example", false, false},
		{"as.example", "as.example", false, false},
		{"https:as.example", "https://as.example", false, false},
		{"https://", "https://", false, false},
		{"/", "", false, false},
	} {
		if got := same(row.a, row.b) || same(row.b, row.a); got != row.same {
			t.Errorf("%q and %q are the same: %v", row.a, row.b, got)
		}
		if got := sameButSlash(row.a, row.b) || sameButSlash(row.b, row.a); got != row.slash {
			t.Errorf("%q and %q are the same but for a slash: %v", row.a, row.b, got)
		}
	}
}
