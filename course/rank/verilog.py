"""Restricts Verilog to the subset that translations of PyMTL3 circuits use.

Full Verilog could run programs in the simulator, differ between simulation and synthesis (x is 0
for Verilator, any value for Yosys), or give registers initial values, which circuits do not have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pyslang import (
    BumpAllocator,
    DiagnosticEngine,
    Diagnostics,
    DiagnosticSeverity,
    SourceManager,
    SVInt,
    analysis,
    ast,
    parsing,
    syntax,
)

from rsaxcel.sim.check.refused import Refused

_KEYWORDS = frozenset(
    "always_comb always_ff assign begin else end endmodule for if input int localparam logic "
    "module output packed posedge struct typedef unsigned".split()
)
_NODES = frozenset(
    "CompilationUnit "
    "ModuleDeclaration ModuleHeader AnsiPortList ImplicitAnsiPort VariablePortHeader "
    "HierarchyInstantiation HierarchicalInstance InstanceName NamedPortConnection "
    "SimplePropertyExpr SimpleSequenceExpr "
    "DataDeclaration Declarator EqualsValueClause IntType LogicType NamedType "
    "ParameterDeclaration ParameterDeclarationStatement RangeDimensionSpecifier StructType "
    "StructUnionMember TypedefDeclaration VariableDimension "
    "AlwaysCombBlock AlwaysFFBlock ConditionalPattern ConditionalPredicate ConditionalStatement "
    "ContinuousAssign ElseClause EventControlWithExpression ExpressionStatement "
    "ForLoopStatement ForVariableDeclaration NamedBlockClause ParenthesizedEventExpression "
    "SequentialBlockStatement SignalEventExpression TimingControlStatement "
    "AscendingRangeSelect BitSelect ElementSelect IdentifierName IdentifierSelectName "
    "IntegerLiteralExpression IntegerVectorExpression MemberAccessExpression ScopedName "
    "SimpleRangeSelect UnbasedUnsizedLiteralExpression "
    "AddAssignmentExpression AddExpression AssignmentExpression BinaryAndExpression "
    "BinaryOrExpression BinaryXorExpression CastExpression ConcatenationExpression "
    "ConditionalExpression DivideExpression ElementSelectExpression EqualityExpression "
    "GreaterThanEqualExpression GreaterThanExpression InequalityExpression "
    "LessThanEqualExpression LessThanExpression LogicalShiftLeftExpression "
    "LogicalShiftRightExpression ModExpression MultipleConcatenationExpression "
    "MultiplyExpression NonblockingAssignmentExpression ParenthesizedExpression "
    "SubtractAssignmentExpression SubtractExpression UnaryBitwiseAndExpression "
    "UnaryBitwiseNotExpression UnaryBitwiseOrExpression UnaryBitwiseXorExpression "
    "UnaryMinusExpression UnaryPlusExpression".split()
)
#: Warnings of slang that mean an undefined value. Its errors are refused, too.
_UNDEFINED = frozenset(
    "DivisionByZero EmptyInputPortConn ImplicitNet IndexOOB InferredComb InferredLatch "
    "MixedVarAssigns MultipleAlwaysAssigns MultipleContAssigns RangeOOB RangeWidthOOB "
    "UnassignedVariable UnconnectedInputPort UndrivenNet UndrivenPort".split()
)
_ERRORS = DiagnosticSeverity.Error, DiagnosticSeverity.Fatal
_DIVISIONS = ast.BinaryOperator.Divide, ast.BinaryOperator.Mod
_CLOCK = "clk"
_CLOCKS = re.compile(r"clk|\w+__clk(\[[\w']+\])*")
_SPLIT = "/* verilator split_var */"
_LARGEST = 1 << 25
_LONGEST_LINE = 100  #: characters of a line in a message
# Most tokens in one statement: slang recurses into the operands of a chain such as a + b + c, and
# its process would end. A concatenation of 4096 bits has 20,000.
_MOST_TOKENS = 25_000


def check_verilog(text: str) -> str:
    """Return a Verilog text without comments; ``Refused`` names the line of forbidden syntax."""
    if len(text) > _LARGEST:
        raise Refused("verilog", f"more than {_LARGEST >> 20} MB of Verilog")
    bare = "".join(_tokens(text))
    manager = SourceManager()
    try:
        tree = syntax.SyntaxTree.fromText(bare, manager)
    except RuntimeError as error:
        raise Refused("verilog", "its Verilog is nested too deeply") from error
    _check_syntax(tree, bare)
    _check_meaning(tree, bare)
    return bare


def _tokens(text: str) -> Iterator[str]:
    """Yield the allowed tokens with the blanks before them; no directive, so no included file."""
    manager, diagnostics, memory = SourceManager(), Diagnostics(), BumpAllocator()
    lexer = parsing.Lexer(manager.assignText(text), memory, diagnostics, manager)
    kind = parsing.TokenKind
    token, length = None, 0
    while token is None or token.kind != kind.EndOfFile:
        token = lexer.lex()
        word = token.rawText
        allowed = word in _KEYWORDS if token.kind.name.endswith("Keyword") else word[:1] != "\\"
        if not allowed or token.kind in (kind.Directive, kind.Unknown) or len(diagnostics):
            what = word[:_LONGEST_LINE] or "a comment without end"
            raise _refused(text, token.location.offset, f"{what} is not allowed")
        length = 0 if token.kind == kind.Semicolon else length + 1
        if length > _MOST_TOKENS:
            raise _refused(text, token.location.offset, f"more than {_MOST_TOKENS:,} tokens")
        yield _blanks(token) + word


def _blanks(token: parsing.Token) -> str:
    """Blanks before a token: a comment becomes one, and lines that are left empty are dropped."""
    parts = [x.getRawText() for x in token.trivia]
    blanks = "".join(x if x.isspace() or x == _SPLIT else " " for x in parts)
    before, end, indentation = blanks.rpartition("\n")
    return f"{_SPLIT * (_SPLIT in before)}{end}{indentation}"


def _refused(text: str, offset: int, what: str) -> Refused:
    begin = text.rfind("\n", 0, offset) + 1
    line = text[begin : begin + _LONGEST_LINE].partition("\n")[0].strip()
    return Refused("verilog", f"line {text.count(chr(10), 0, begin) + 1}: {what}: {line}")


def _check_syntax(tree: syntax.SyntaxTree, text: str) -> None:
    """Refuse kinds of syntax that are not allowed, initial values, and literals with x or z."""
    found: list[tuple[int, str]] = []

    def visit(node: Any) -> None:
        if not isinstance(node, parsing.Token):
            if node.kind.name not in _NODES:
                found.append((node.sourceRange.start.offset, _words(node.kind.name)))
            elif _is_other_clock(node):
                found.append((node.sourceRange.start.offset, "a clock that is not the input clk"))
            elif isinstance(node, syntax.DataDeclarationSyntax):
                for part in node.declarators:
                    if isinstance(part, syntax.DeclaratorSyntax) and part.initializer:
                        found.append((part.sourceRange.start.offset, "an initial value"))
        elif isinstance(node.value, SVInt) and node.value.hasUnknown:
            found.append((node.location.offset, node.rawText))
        elif node.kind == parsing.TokenKind.UnbasedUnsizedLiteral and node.rawText[1] not in "01":
            found.append((node.location.offset, node.rawText))

    tree.root.visit(visit)
    if found:
        offset, what = min(found)
        raise _refused(text, offset, f"{what} is not allowed")


def _is_other_clock(node: Any) -> bool:
    """Whether a clock is not ``clk``, or ``clk`` is no clock: other clocks have no constraint."""
    # A path that begins or ends at another clock would count for no period. Translations hand the
    # clock on to a part, such as ``lanes``, as ``assign lanes__clk[0] = clk``.
    if isinstance(node, syntax.SignalEventExpressionSyntax):
        return (node.edge.rawText, _bare(node.expr)) != ("posedge", _CLOCK)
    if isinstance(node, syntax.NamedPortConnectionSyntax):
        return node.name.rawText == _CLOCK and not _CLOCKS.fullmatch(_bare(node.expr))
    if isinstance(node, syntax.DeclaratorSyntax):
        return node.name.rawText == _CLOCK and not _bare(node.parent).startswith("input")
    if not isinstance(node, syntax.IdentifierNameSyntax | syntax.IdentifierSelectNameSyntax):
        return False
    if not _CLOCKS.fullmatch(node.identifier.rawText):
        return False
    use = node.parent
    if isinstance(use, syntax.BinaryExpressionSyntax):
        sides = _bare(use.left), _bare(use.right)
        is_assignment = use.parent.kind.name == "ContinuousAssign"
        return not (is_assignment and sides[0] != _CLOCK and all(map(_CLOCKS.fullmatch, sides)))
    is_clock = isinstance(use, syntax.SignalEventExpressionSyntax)
    port = use.parent.parent  # part of an expression that is only a name
    is_port = isinstance(port, syntax.NamedPortConnectionSyntax) and port.name.rawText == _CLOCK
    return not is_clock and not is_port


def _bare(node: Any) -> str:
    return "".join(str(node).split())


def _words(kind: str) -> str:
    return "".join(f" {x.lower()}" if x.isupper() else x for x in kind).strip()


def _check_meaning(tree: syntax.SyntaxTree, text: str) -> None:
    """Refuse errors, undefined values, names of other modules, and divisors that may be 0."""
    # Modules that contain themselves would be a part of nothing, and not be checked.
    compilation = ast.Compilation()
    compilation.addSyntaxTree(tree)
    root = compilation.getRoot()
    diagnostics = [*compilation.getAllDiagnostics()]
    compilation.freeze()
    analyzed = analysis.AnalysisManager(_options())
    analyzed.analyze(compilation)
    engine = DiagnosticEngine(tree.sourceManager)
    for x in (*diagnostics, *analyzed.getDiagnostics()):
        name = str(x.code).removeprefix("DiagCode(").removesuffix(")")
        if name in _UNDEFINED or engine.getSeverity(x.code, x.location) in _ERRORS:
            raise _refused(text, x.location.offset, engine.formatMessage(x))
    context = ast.EvalContext(root)
    declared: list[str] = []
    reached = set()

    def declare(node: object) -> None:
        if isinstance(node, syntax.ModuleHeaderSyntax):
            declared.append(node.name.rawText)

    def visit(node: object) -> None:
        if isinstance(node, ast.InstanceSymbol):
            reached.add(node.definition.name)
        if isinstance(node, ast.HierarchicalValueExpression):
            raise _refused(text, node.sourceRange.start.offset, "a name of another module")
        if isinstance(node, ast.BinaryExpression) and node.op in _DIVISIONS:
            if not node.right.eval(context).isTrue():
                raise _refused(text, node.sourceRange.start.offset, "the divisor may be 0")

    root.visit(visit)
    tree.root.visit(declare)
    if len(declared) != len(reached):
        raise Refused("verilog", "a module is declared twice, or contains itself")


def _options() -> analysis.AnalysisOptions:
    options = analysis.AnalysisOptions()
    options.flags = analysis.AnalysisFlags.CheckUnused  # finds signals without a driver
    return options
