package demo

// Document is what fetch_sharepoint_doc returns.
type Document struct {
	ID       string `json:"id"       validate:"required,document_id"`
	Title    string `json:"title"    validate:"required,max=120"`
	Site     string `json:"site"     validate:"required,max=80"`
	Owner    string `json:"owner"    validate:"required,max=80"`
	Modified string `json:"modified" validate:"required,datetime=2006-01-02"`
	Text     string `json:"text"     validate:"required,max=4000"`
}

func (d Document) rules() []rule {
	return []rule{
		{"id", isDocument(d.ID)},
		{"title", isText(d.Title, 120)},
		{"site", isText(d.Site, 80)},
		{"owner", isText(d.Owner, 80)},
		{"modified", isDate(d.Modified)},
		{"text", isText(d.Text, 4000)},
	}
}

func (d Document) page() page { return page{d.ID, d.Title, d.Text} }

type documentInput struct {
	ID string `json:"document_id"`
}

func newSharePoint(documents *Store[Document]) *server {
	s := newServer(sharePoint, "SharePoint")
	add(s, "search_sharepoint", documents.search)
	add(s, "fetch_sharepoint_doc", func(in documentInput) (Document, error) { return documents.fetch(in.ID) })
	add(s, "delete_sharepoint_doc", func(in documentInput) (Deleted, error) { return documents.remove(in.ID) })
	return s
}
