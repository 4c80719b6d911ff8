package demo

// Policy is what fetch_policy_entry returns.
type Policy struct {
	ID        string `json:"id"        validate:"required,policy_id"`
	Title     string `json:"title"     validate:"required,max=120"`
	Owner     string `json:"owner"     validate:"required,max=80"`
	Status    string `json:"status"    validate:"required,oneof=draft active retired"`
	Effective string `json:"effective" validate:"required,datetime=2006-01-02"`
	Text      string `json:"text"      validate:"required,max=4000"`
}

func (p Policy) rules() []rule {
	return []rule{
		{"id", isPolicy(p.ID)},
		{"title", isText(p.Title, 120)},
		{"owner", isText(p.Owner, 80)},
		{"status", isOneOf(p.Status, "draft", "active", "retired")},
		{"effective", isDate(p.Effective)},
		{"text", isText(p.Text, 4000)},
	}
}

func (p Policy) page() page { return page{p.ID, p.Title, p.Text} }

type policyInput struct {
	ID string `json:"policy_id"`
}

func newPolicyKB(policies *Store[Policy]) *server {
	s := newServer(policyKB, "Policy knowledge base")
	add(s, "search_policy_kb", policies.search)
	add(s, "fetch_policy_entry", func(in policyInput) (Policy, error) { return policies.fetch(in.ID) })
	add(s, "delete_policy_entry", func(in policyInput) (Deleted, error) { return policies.remove(in.ID) })
	return s
}
