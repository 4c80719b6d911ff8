package store

var Networked = networked
