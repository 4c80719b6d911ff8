package demo

import "fmt"

// Ticket is what get_ticket and close_ticket return.
type Ticket struct {
	ID          string `json:"id"                   validate:"required,ticket_id"`
	Title       string `json:"title"                validate:"required,max=120"`
	State       string `json:"state"                validate:"required,oneof=new in_progress on_hold resolved closed"`
	Priority    int    `json:"priority"             validate:"required,min=1,max=5"`
	Group       string `json:"group"                validate:"required,max=80"`
	Opened      string `json:"opened"               validate:"required,datetime=2006-01-02"`
	Description string `json:"description"          validate:"required,max=4000"`
	Resolution  string `json:"resolution,omitempty" validate:"max=500"`
}

func (t Ticket) page() page { return page{t.ID, t.Title, t.Description} }

type ticketInput struct {
	ID string `json:"ticket_id"`
}

type closeInput struct {
	ID         string `json:"ticket_id"`
	Resolution string `json:"resolution"`
}

func newServiceNow(tickets *Store[Ticket]) *server {
	s := newServer(serviceNow, "ServiceNow")
	add(s, "search_servicenow_tickets", tickets.search)
	add(s, "get_ticket", func(in ticketInput) (Ticket, error) { return tickets.fetch(in.ID) })
	add(s, "close_ticket", func(in closeInput) (Ticket, error) {
		return tickets.change(in.ID, func(t *Ticket) error { return t.close(in.Resolution) })
	})
	return s
}

func (t *Ticket) close(resolution string) error {
	if t.State == "closed" {
		return fmt.Errorf("the ticket %s is closed already", t.ID)
	}
	t.State, t.Resolution = "closed", resolution
	return nil
}
