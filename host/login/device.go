package login

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
)

// deviceCode is the answer of the device endpoint (RFC 8628, section 3.2).
type deviceCode struct {
	Device   string  `json:"device_code"`
	User     string  `json:"user_code"`
	Address  string  `json:"verification_uri"`
	Lifetime seconds `json:"expires_in"`
	Interval seconds `json:"interval"`
}

const (
	defaultInterval = 5 * time.Second // RFC 8628, section 3.2
	maxInterval     = time.Minute
	maxUserCode     = 64 // bytes
)

// byDevice gets the tokens for a code that the user enters elsewhere (RFC 8628).
func (a *attempt) byDevice(ctx context.Context, u User) (tokens, error) {
	d, err := a.askDevice(ctx)
	if err != nil {
		return tokens{}, err
	}
	until := a.Now().Add(d.lasts())
	if err := u.Enter(ctx, d.Address, d.User, until); err != nil {
		return tokens{}, err
	}
	pause := d.pause()
	for a.Now().Before(until) {
		if err := a.Wait(ctx, pause); err != nil {
			return tokens{}, err
		}
		t, err := a.exchange(ctx, url.Values{"grant_type": {grantDevice}, "device_code": {d.Device}})
		switch no, is := errors.AsType[*denial](err); {
		case !is:
			return t, err
		case no.Code == "authorization_pending":
		case no.Code == "slow_down":
			pause = min(pause+defaultInterval, maxInterval) // RFC 8628, section 3.5
		case no.Code == "expired_token":
			until = time.Time{}
		default:
			return tokens{}, err
		}
	}
	return tokens{}, failing(verdict.LoginTimeout, nil, "`ask servers login "+a.Server.Name+" --device` begins again", "server %s: the code was not entered in time", a.Server.Name)
}

func (d deviceCode) lasts() time.Duration {
	if !d.Lifetime.known {
		return 2 * waitTime
	}
	return time.Duration(min(d.Lifetime.n, int64(2*waitTime/time.Second))) * time.Second
}

func (d deviceCode) pause() time.Duration {
	if d.Interval.n == 0 {
		return defaultInterval
	}
	return time.Duration(min(d.Interval.n, int64(maxInterval/time.Second))) * time.Second
}

func (a *attempt) askDevice(ctx context.Context) (deviceCode, error) {
	var d deviceCode
	if a.meta.DeviceEndpoint == "" {
		return d, failing(verdict.LoginDiscovery, nil, "log in with a browser: --no-browser prints the address for one elsewhere",
			"server %s: %s has no login by device", a.Server.Name, a.issuerShown())
	}
	form := url.Values{"resource": {a.resource.Resource}, "scope": scope(a.asked)}
	got, err := a.authority().send(ctx, a.meta.DeviceEndpoint, form)
	switch {
	case err != nil:
		return d, a.unexchanged(err)
	case got.status != http.StatusOK:
		return d, a.denied(a.http.refusal(got))
	}
	if err := got.decode(&d); err != nil {
		return d, a.unanswered("the device code cannot be used: %s", a.http.words(err.Error()))
	}
	a.http.hide(d.Device)
	if err := checkAddress("its verification_uri", d.Address); err != nil {
		return d, a.unanswered("the device code cannot be used: %v", err)
	}
	if d.Device == "" || d.User == "" || len(d.User) > maxUserCode {
		return d, a.unanswered("the device code cannot be used: it has no code")
	}
	if d.Lifetime.over() {
		return d, a.unexchanged(fmt.Errorf("%w: its device code is over", errExpired))
	}
	return d, nil
}
