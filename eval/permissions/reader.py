import ast
import json
import sys

# Names what a module uses, by where it comes from: "subprocess.run", and
# "pathlib.Path().read_text" for a method of what a call returns.

PATHS = ("pathlib.Path()", "pathlib.PosixPath()", "anyio.Path()")
SAME = ("resolve", "absolute", "expanduser", "parent", "joinpath", "with_suffix", "with_name", "cwd", "home", "relative_to")
MANY = ("iterdir", "glob", "rglob", "parents")
BUILT_IN = ("open", "__import__", "exec", "eval")

names, uses = {}, []


def dotted(node):
    """The place that a value is kept at: a variable or an attribute."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = dotted(node.value)
        return base and base + "." + node.attr
    return None


def origin(node):
    """Where a value comes from, or None."""
    if isinstance(node, ast.Name):
        return names.get(node.id) or (node.id if node.id in BUILT_IN and node.id not in declared else None)
    if isinstance(node, ast.Attribute):
        place = dotted(node)
        if place in names:
            return names[place]
        base = origin(node.value)
        if base in PATHS and node.attr in SAME:
            return base
        if base in ("pathlib.Path", "anyio.Path") and node.attr in SAME:
            return base
        return base and base + "." + node.attr
    if isinstance(node, ast.Call):
        base = origin(node.func)
        if base in PATHS or base is None:
            return base
        return base + "()"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        left, right = origin(node.left), origin(node.right)
        return left if left in PATHS else right if right in PATHS else None
    if isinstance(node, (ast.Await, ast.Starred, ast.NamedExpr)):
        return origin(node.value)
    if isinstance(node, ast.BoolOp):
        return next((o for o in map(origin, node.values) if o), None)
    if isinstance(node, ast.IfExp):
        return origin(node.body) or origin(node.orelse)
    return None


def annotated(node):
    """What an annotation says that a value is."""
    if isinstance(node, ast.Subscript):
        return annotated(node.slice)
    if isinstance(node, ast.BinOp):
        return annotated(node.left) or annotated(node.right)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            return annotated(ast.parse(node.value, mode="eval").body)
        except SyntaxError:
            return None
    found = origin(node)
    return found and found + "()"


def bind(target, value):
    if isinstance(target, (ast.Tuple, ast.List)):
        return
    place = dotted(target)
    if place and value and place not in names:
        names[place] = value


def elements(node):
    """What a loop over a value gives."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in MANY:
        base = origin(node.func.value)
        return base if base in PATHS else None
    if isinstance(node, ast.Call) and node.args and dotted(node.func) in ("sorted", "list", "reversed", "set"):
        return elements(node.args[0])
    return None


def bindings(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for a in node.names:
                names[a.asname or a.name.split(".")[0]] = a.name if a.asname else a.name.split(".")[0]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for a in node.names:
                names[a.asname or a.name] = node.module + "." + a.name
    for _ in range(3):  # what is bound to what is bound later
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    bind(target, origin(node.value))
            elif isinstance(node, ast.AnnAssign):
                bind(node.target, (node.value and origin(node.value)) or annotated(node.annotation))
            elif isinstance(node, ast.NamedExpr):
                bind(node.target, origin(node.value))
            elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
                bind(node.target, elements(node.iter))
            elif isinstance(node, (ast.With, ast.AsyncWith)):
                for item in node.items:
                    if item.optional_vars is not None:
                        bind(item.optional_vars, origin(item.context_expr))
            elif isinstance(node, ast.arg) and node.annotation is not None:
                bind(ast.Name(node.arg), annotated(node.annotation))


def mode(call, at):
    """The mode of open: "" is the default, and "?" one that is not a text."""
    given = [k.value for k in call.keywords if k.arg == "mode"] or call.args[at:at + 1]
    if not given:
        return ""
    text = given[0].value if isinstance(given[0], ast.Constant) else None
    return text if isinstance(text, str) else "?"


def note(node, name, how=""):
    uses.append({"line": node.lineno, "name": name, "mode": how})


tree = ast.parse(sys.stdin.buffer.read())
declared = {n.name for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)) and n in tree.body}
bindings(tree)
called = set()
for node in ast.walk(tree):
    if isinstance(node, ast.Call):
        name = origin(node.func)
        if name:
            called.add(id(node.func))
            note(node, name, mode(node, 0 if name.startswith(PATHS) else 1) if name.rsplit(".", 1)[-1] == "open" else "")
for node in ast.walk(tree):
    if isinstance(node, (ast.Attribute, ast.Name)) and isinstance(node.ctx, ast.Load) and id(node) not in called:
        name = origin(node)
        if name and "." in name and not name.endswith("()"):
            note(node, name)
print(json.dumps({"uses": uses}))
