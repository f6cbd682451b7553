import com.sun.source.doctree.*;
import com.sun.source.util.*;
import java.io.File;
import java.util.*;
import java.util.stream.*;
import javax.lang.model.element.*;
import javax.lang.model.type.*;
import javax.lang.model.util.*;
import javax.tools.*;

/** Prints what the compiler knows of each public and protected class and member of the files that are named: a JSON value a line. */
class Told {
  static Elements elements;
  static DocTrees docs;

  public static void main(String[] files) throws Exception {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    var manager = compiler.getStandardFileManager(null, null, java.nio.charset.StandardCharsets.UTF_8);
    var units = manager.getJavaFileObjects(files);
    var quiet = List.of("-proc:none", "-nowarn", "-Xlint:none", "-encoding", "UTF-8");
    JavacTask task = (JavacTask) compiler.getTask(null, manager, d -> { if (d.getKind() == Diagnostic.Kind.ERROR) System.err.println(d); }, quiet, null, units);
    elements = task.getElements();
    docs = DocTrees.instance(task);
    for (Element e : task.analyze()) {
      if (e instanceof TypeElement type && e.getEnclosingElement() instanceof PackageElement) tell(type);
    }
  }

  static boolean forCallers(Element e) {
    return e.getModifiers().contains(Modifier.PUBLIC) || e.getModifiers().contains(Modifier.PROTECTED);
  }

  static void tell(TypeElement type) {
    if (!forCallers(type)) return;
    String name = type.getQualifiedName().toString();
    line(name, "", type, "class");
    inherited(name, type, type);
    for (Element e : type.getEnclosedElements()) {
      if (e instanceof TypeElement inner) tell(inner);
      else if (!forCallers(e) || docs.getTree(e) == null || elements.getOrigin(e) != Elements.Origin.EXPLICIT) continue; // nobody wrote it
      else if (e instanceof ExecutableElement method) line(name + "." + called(method, type), signature(method), e, "own");
      else if (e instanceof VariableElement) line(name + "." + e.getSimpleName(), "", e, "own");
    }
  }

  /** What a class has of bases that callers cannot name, up to the first one that they can. */
  static void inherited(String name, TypeElement type, TypeElement from) {
    for (TypeMirror base : Stream.concat(Stream.of(from.getSuperclass()), from.getInterfaces().stream()).toList()) {
      if (base instanceof DeclaredType declared && !nameable(declared.asElement())) members(name, type, (TypeElement) declared.asElement());
    }
  }

  static void members(String name, TypeElement type, TypeElement of) {
    for (Element e : of.getEnclosedElements()) {
      if (!forCallers(e) || e.getKind() == ElementKind.CONSTRUCTOR || !elements.getAllMembers(type).contains(e) || docs.getTree(e) == null) continue;
      if (e instanceof ExecutableElement method) line(name + "." + e.getSimpleName(), signature(method), e, "inherited");
      else if (e instanceof VariableElement) line(name + "." + e.getSimpleName(), "", e, "inherited");
    }
    inherited(name, type, of);
  }

  static boolean nameable(Element type) {
    return type instanceof PackageElement || forCallers(type) && nameable(type.getEnclosingElement());
  }

  static String called(ExecutableElement e, TypeElement in) {
    return (e.getKind() == ElementKind.CONSTRUCTOR ? in : e).getSimpleName().toString();
  }

  /** The result, a type and a name for each parameter, and what is thrown. */
  static String signature(ExecutableElement e) {
    var list = new ArrayList<String>();
    for (var p : e.getParameters()) list.add(p.asType() + " " + p.getSimpleName());
    if (e.isVarArgs()) {
      var last = e.getParameters().get(list.size() - 1);
      list.set(list.size() - 1, ((ArrayType) last.asType()).getComponentType() + "... " + last.getSimpleName());
    }
    String result = e.getKind() == ElementKind.CONSTRUCTOR ? "" : e.getReturnType() + " ";
    String thrown = e.getThrownTypes().stream().map(Object::toString).collect(Collectors.joining(", "));
    return result + "x(" + String.join(", ", list) + ")" + (thrown.isEmpty() ? "" : " throws " + thrown);
  }

  /** The text of a comment, with an empty line wherever there is markup. */
  static String text(Element e) {
    DocCommentTree tree = docs.getDocCommentTree(e);
    if (tree == null) return "";
    var out = new StringBuilder();
    new DocTreeScanner<Void, Void>() {
      @Override public Void visitText(TextTree t, Void v) {
        out.append(t.getBody()).append("\n\n");
        return null;
      }
    }.scan(tree, null);
    return out.toString();
  }

  static void line(String name, String signature, Element e, String what) {
    System.out.println("{\"name\":" + json(name) + ",\"signature\":" + json(signature) + ",\"doc\":" + json(text(e)) + ",\"" + what + "\":true}");
  }

  static String json(String text) {
    var out = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\' || c < ' ' || c > '~') out.append(String.format("\\u%04x", (int) c));
      else out.append(c);
    }
    return out.append('"').toString();
  }
}
