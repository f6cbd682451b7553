import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import javax.lang.model.element.*;
import javax.lang.model.type.*;
import javax.lang.model.util.Types;
import javax.tools.*;

/**
 * Prints what the compiler takes the names in some files for. Standard input holds the files, the arguments are passed
 * on to the compiler. Each file yields "file", and a line for each name in it: where it stands as an offset in UTF-16
 * units, the kind of what it names, its simple name, the qualified name of what declares it, that of the type it is
 * selected from or looked up in, whether it is imported. Fields are separated by tabs.
 */
public class Resolve extends TreePathScanner<Void, Void> {
    private static final PrintStream out =
        new PrintStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16), false, StandardCharsets.UTF_8);
    private final Trees trees;
    private final Types types;
    private final CompilationUnitTree unit;
    private final CharSequence text;

    Resolve(JavacTask task, CompilationUnitTree unit) throws IOException {
        this.trees = Trees.instance(task);
        this.types = task.getTypes();
        this.unit = unit;
        this.text = unit.getSourceFile().getCharContent(true);
    }

    public static void main(String[] args) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
        List<Path> paths = new ArrayList<>();
        for (String name : new String(System.in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
            paths.add(Path.of(name));
        }
        List<String> options = new ArrayList<>(List.of("-proc:none", "-XDshould-stop.ifError=FLOW"));
        options.addAll(List.of(args));
        JavacTask task = (JavacTask) compiler.getTask(null, files, d -> {}, options, null, files.getJavaFileObjectsFromPaths(paths));
        Iterable<? extends CompilationUnitTree> units = task.parse();
        task.analyze();
        for (CompilationUnitTree unit : units) {
            out.println("file\t" + Path.of(unit.getSourceFile().toUri()));
            new Resolve(task, unit).scan(unit, null);
        }
        out.flush();
    }

    @Override
    public Void visitImport(ImportTree t, Void v) {
        return null;
    }

    @Override
    public Void visitPackage(PackageTree t, Void v) {
        return scan(t.getAnnotations(), v);
    }

    @Override
    public Void visitAnnotation(AnnotationTree t, Void v) {
        scan(t.getAnnotationType(), v);
        for (ExpressionTree argument : t.getArguments()) {
            scan(argument instanceof AssignmentTree a ? a.getExpression() : argument, v);
        }
        return null;
    }

    @Override
    public Void visitIdentifier(IdentifierTree t, Void v) {
        say(trees.getSourcePositions().getStartPosition(unit, t), t.getName(), null, true);
        return null;
    }

    @Override
    public Void visitMemberSelect(MemberSelectTree t, Void v) {
        long end = trees.getSourcePositions().getEndPosition(unit, t);
        say(end - t.getIdentifier().length(), t.getIdentifier(), t.getExpression(), false);
        return super.visitMemberSelect(t, v);
    }

    @Override
    public Void visitMemberReference(MemberReferenceTree t, Void v) {
        if (t.getMode() == MemberReferenceTree.ReferenceMode.INVOKE) {
            long end = trees.getSourcePositions().getEndPosition(unit, t);
            say(end - t.getName().length(), t.getName(), t.getQualifierExpression(), false);
        }
        return super.visitMemberReference(t, v);
    }

    private void say(long at, Name name, ExpressionTree from, boolean alone) {
        Element e = trees.getElement(getCurrentPath());
        if (e == null || at < 0 || at + name.length() > text.length()
                || !text.subSequence((int) at, (int) at + name.length()).toString().contentEquals(name)) {
            return;
        }
        TypeMirror type = e.asType();
        if (type.getKind() == TypeKind.ERROR || e.getKind() == ElementKind.PACKAGE || e.getKind() == ElementKind.OTHER) {
            return;
        }
        String receiver = "";
        if (from != null) {
            TypeMirror r = trees.getTypeMirror(new TreePath(getCurrentPath(), from));
            receiver = r == null || r.getKind() == TypeKind.PACKAGE ? "" : types.erasure(r).toString();
        }
        Element owner = e.getEnclosingElement();
        boolean local = isLocal(e);
        out.println(String.join("\t", Long.toString(at), local ? "local" : e.getKind().toString(), name,
            e instanceof TypeElement q ? q.getQualifiedName() : owner instanceof TypeElement q ? q.getQualifiedName() : "",
            receiver, alone ? "alone" : "selected", owner == null ? "" : owner.getKind().toString()));
    }

    /** Reports whether e is bound within a body. */
    private static boolean isLocal(Element e) {
        for (; e != null && !(e instanceof PackageElement); e = e.getEnclosingElement()) {
            switch (e.getKind()) {
                case PARAMETER, LOCAL_VARIABLE, EXCEPTION_PARAMETER, RESOURCE_VARIABLE, BINDING_VARIABLE, TYPE_PARAMETER:
                    return true;
                default:
            }
            if (e instanceof TypeElement t && (t.getNestingKind() == NestingKind.LOCAL || t.getNestingKind() == NestingKind.ANONYMOUS)) {
                return true;
            }
        }
        return false;
    }
}
