package gitstore

// SetDepths makes the mirror fetch its history in small steps.
func (m *Mirror) SetDepths(depths ...int) { m.depths = append(depths, everything) }
