/** Writes a line. */
void log_line(const char *line);
