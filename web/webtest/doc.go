// Package webtest tests the pages and the API over HTTP and in browsers. It has tests only: the server is started on a
// database in a temporary folder (hall_test.go), and browsers are driven over their protocol (chromium_test.go).
package webtest
