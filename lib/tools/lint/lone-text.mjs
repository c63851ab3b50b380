import ts from "typescript";

/**
 * Text has an element of its own. A browser that translates a page replaces its text nodes. React then fails when it
 * removes such a node or inserts an element before it, and shows no change of its text, unless the text is all that its
 * element holds: then React writes the element's content anew.
 */
export const loneText = {
  meta: {
    type: "problem",
    schema: [],
    messages: {
      beside:
        "Give this text an element of its own: a page that the browser translates breaks otherwise.",
      returned: "Return an element around this text: what stands beside it is not known here.",
      rich: "Put this into Sentences, which gives each of its texts an element.",
    },
  },
  create(context) {
    const { program, esTreeNodeToTSNodeMap } = context.sourceCode.parserServices;
    const checker = program.getTypeChecker();

    function isText(node) {
      return mayHoldText(checker, checker.getTypeAtLocation(esTreeNodeToTSNodeMap.get(node)));
    }

    function check(node) {
      const children = node.children.filter(isRendered);
      if (children.length < 2 && node.type === "JSXElement") return;
      const changes = children.some(
        ({ type, expression }) => type === "JSXExpressionContainer" && !isBlank(expression),
      );
      for (const child of children) {
        if (child.type === "JSXElement" || child.type === "JSXFragment") continue;
        // A space between elements that all stay.
        if (isBlank(child.expression ?? child) && !changes) continue;
        if (child.type === "JSXText" || isText(child.expression))
          context.report({ node: child, messageId: "beside" });
      }
    }

    return {
      JSXElement: check,
      JSXFragment: check,
      ReturnStatement(node) {
        const returning = context.sourceCode
          .getAncestors(node)
          .findLast(({ type }) => type.includes("Function"));
        const isComponent = /^[A-Z]/.test(returning.id?.name ?? "");
        // A component that passes its children on leaves their place to its caller.
        if (isComponent && node.argument && node.argument.name !== "children")
          if (isText(node.argument)) context.report({ node, messageId: "returned" });
      },
      "CallExpression[callee.property.name='rich']"(node) {
        const inSentences = context.sourceCode
          .getAncestors(node)
          .some(({ type, name }) => type === "JSXOpeningElement" && name.name === "Sentences");
        if (!inSentences) context.report({ node, messageId: "rich" });
      },
    };
  },
};

/** JSX drops text of blanks with a line break. */
function isRendered({ type, value, expression }) {
  if (type === "JSXText") return value.trim() !== "" || !value.includes("\n");
  return expression?.type !== "JSXEmptyExpression";
}

function isBlank({ type, value }) {
  return (
    (type === "JSXText" || type === "Literal") && typeof value === "string" && value.trim() === ""
  );
}

const textFlags = ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BigIntLike;

/** `open`: the types around this one, since what holds elements may hold itself. */
function mayHoldText(checker, type, open = []) {
  if (open.includes(type)) return false;
  const parts = type.isUnion()
    ? type.types
    : checker.isArrayType(type) || checker.isTupleType(type)
      ? checker.getTypeArguments(type)
      : [];
  return (
    (type.flags & (textFlags | ts.TypeFlags.Any)) !== 0 ||
    parts.some((part) => mayHoldText(checker, part, [...open, type]))
  );
}
