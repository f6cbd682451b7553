package survey

import "context"

// prefixOf is what the paths of a module's files begin with.
func prefixOf(module string) string {
	if module == "." {
		return ""
	}
	return module + "/"
}

// usesNow lists what a module uses of others.
func (w *Survey) usesNow(module string) []Use {
	if w.modules[module] == nil {
		return nil
	}
	var out []Use
	for _, u := range w.record(module).Uses {
		out = append(out, Use{Module: u.Module, Name: u.Name})
	}
	return out
}

// filesKnown lists the sources of a module; none when there is no such module.
func (w *Survey) filesKnown(module string) []fileRecord {
	if w.modules[module] == nil {
		return nil
	}
	return w.record(module).Files
}

// ModuleName is what people call a module: its path, and for the root, whose path says nothing, its own name.
func (w *Survey) ModuleName(module string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.moduleName(module)
}

func (w *Survey) moduleName(module string) string {
	if s := w.modules[module]; module == "." && s != nil && s.Name != "" {
		return s.Name
	}
	return module
}

func (w *Survey) symbolName(module, name string) string { return w.moduleName(module) + "." + name }

// declaring is the file that declares a name of a module; empty when none does.
func (w *Survey) declaring(module, name string) string {
	if w.modules[module] == nil {
		return ""
	}
	k, err := w.know(context.Background(), module)
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
