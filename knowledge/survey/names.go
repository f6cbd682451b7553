package survey

import "context"

// prefixOf returns the common prefix of a module's file paths.
func prefixOf(module string) string {
	if module == "." {
		return ""
	}
	return module + "/"
}

// ModuleName returns the display name of a module: its path, or the package name for the root.
func (s *Survey) ModuleName(module string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.moduleName(module)
}

func (s *Survey) moduleName(module string) string {
	if sum := s.modules[module]; module == "." && sum != nil && sum.Name != "" {
		return sum.Name
	}
	return module
}

func (x *explainer) symbolName(module, name string) string {
	return x.survey.moduleName(module) + "." + name
}

func (x *explainer) declaring(module, name string) string {
	if x.survey.modules[module] == nil {
		return ""
	}
	k, err := x.survey.know(context.Background(), module)
	if err != nil {
		return ""
	}
	for i := range k.Declared {
		if k.Declared[i].Name == name {
			return k.Declared[i].Path
		}
	}
	return ""
}
