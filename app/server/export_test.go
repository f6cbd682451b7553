package server

// AdminAddr is where the admin port listens: tests leave the choice of it to the system.
func (s *Server) AdminAddr() string { return s.admin.Addr().String() }

// OpenData makes the data directory ready.
func OpenData(dir string) error { return openData(dir) }
