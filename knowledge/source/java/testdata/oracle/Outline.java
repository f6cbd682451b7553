import com.sun.source.tree.*;
import com.sun.source.util.*;
import com.sun.tools.javac.code.Flags;
import com.sun.tools.javac.tree.JCTree.JCVariableDecl;
import com.sun.tools.javac.tree.JCTree.JCMethodDecl;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import javax.lang.model.element.Modifier;
import javax.tools.*;

/**
 * Prints what the compiler's parser finds in the files named on standard input: one line for each package, import and
 * declaration, fields separated by tabs. A file that the compiler rejects yields "error".
 */
public class Outline {
    private static final PrintStream out =
        new PrintStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16), false, StandardCharsets.UTF_8);
    private final Trees trees;
    private final CompilationUnitTree unit;

    Outline(Trees trees, CompilationUnitTree unit) {
        this.trees = trees;
        this.unit = unit;
    }

    public static void main(String[] args) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
        for (String name : new String(System.in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
            if (name.isEmpty()) {
                continue;
            }
            out.println("file\t" + name);
            DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
            JavacTask task = (JavacTask) compiler.getTask(null, files, problems, List.of("-proc:none"), null,
                files.getJavaFileObjects(Path.of(name)));
            Iterator<? extends CompilationUnitTree> units = task.parse().iterator();
            boolean failed = problems.getDiagnostics().stream().anyMatch(d -> d.getKind() == Diagnostic.Kind.ERROR);
            if (failed || !units.hasNext()) {
                out.println("error");
                continue;
            }
            CompilationUnitTree unit = units.next();
            new Outline(Trees.instance(task), unit).print();
        }
        out.flush();
    }

    private void print() {
        if (unit.getPackageName() != null) {
            out.println("package\t" + unit.getPackageName());
        }
        for (ImportTree i : unit.getImports()) {
            out.println("import\t" + i.getQualifiedIdentifier() + "\t" + line(i));
        }
        TreePath root = new TreePath(unit);
        for (Tree t : unit.getTypeDecls()) {
            if (t instanceof ClassTree) {
                type(new TreePath(root, t), "", true, false);
            }
        }
    }

    private long line(Tree t) {
        return unit.getLineMap().getLineNumber(trees.getSourcePositions().getStartPosition(unit, t));
    }

    private long end(Tree t) {
        return unit.getLineMap().getLineNumber(trees.getSourcePositions().getEndPosition(unit, t) - 1);
    }

    private void declare(String kind, String name, boolean exported, TreePath path) {
        declare(kind, name, exported, path, line(path.getLeaf()));
    }

    private void declare(String kind, String name, boolean exported, TreePath path, long line) {
        String doc = trees.getDocComment(path);
        out.println(String.join("\t", kind, name, Long.toString(line), Boolean.toString(exported),
            Boolean.toString(doc != null && !doc.isBlank()), Long.toString(end(path.getLeaf()))));
    }

    private static boolean visible(ModifiersTree m, boolean implied) {
        Set<Modifier> flags = m.getFlags();
        return !flags.contains(Modifier.PRIVATE)
            && (implied || flags.contains(Modifier.PUBLIC) || flags.contains(Modifier.PROTECTED));
    }

    private void type(TreePath path, String scope, boolean open, boolean implied) {
        ClassTree c = (ClassTree) path.getLeaf();
        String name = scope.isEmpty() ? c.getSimpleName().toString() : scope + "." + c.getSimpleName();
        boolean exported = open && visible(c.getModifiers(), implied);
        String kind = switch (c.getKind()) {
            case ENUM -> "enum";
            case RECORD -> "record";
            case INTERFACE, ANNOTATION_TYPE -> "interface";
            default -> "class";
        };
        declare(kind, name, exported, path);
        boolean allPublic = kind.equals("interface");
        long last = -1; // start of the variable before: further variables of a declaration share it
        for (Tree member : c.getMembers()) {
            TreePath at = new TreePath(path, member);
            if (member instanceof ClassTree) {
                type(at, name, exported, allPublic);
            } else if (member instanceof MethodTree m) {
                long flags = ((JCMethodDecl) m).mods.flags;
                if ((flags & Flags.GENERATEDCONSTR) == 0) {
                    String simple = m.getName().contentEquals("<init>") ? c.getSimpleName().toString() : m.getName().toString();
                    declare("method", name + "." + simple, exported && visible(m.getModifiers(), allPublic), at);
                }
            } else if (member instanceof VariableTree v) {
                long flags = ((JCVariableDecl) v).mods.flags;
                boolean component = kind.equals("record") && (flags & Flags.STATIC) == 0;
                if ((flags & Flags.ENUM) == 0 && !component) {
                    Set<Modifier> set = v.getModifiers().getFlags();
                    boolean constant = allPublic || set.contains(Modifier.STATIC) && set.contains(Modifier.FINAL);
                    long start = trees.getSourcePositions().getStartPosition(unit, v);
                    long line = start == last ? unit.getLineMap().getLineNumber(((JCVariableDecl) v).pos) : line(v);
                    last = start;
                    declare(constant ? "const" : "field", name + "." + v.getName(),
                        exported && visible(v.getModifiers(), allPublic), at, line);
                }
            }
        }
    }
}
