import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const folder = new URL("../../platform/i18n/messages/en/", import.meta.url).pathname;

/**
 * A message with tags needs `t.rich` (or `t.markup`). next-intl's types let a plain `t` pass, and the page then shows
 * the message's key.
 */
export const plainTags = {
  meta: {
    type: "problem",
    schema: [],
    messages: { tags: "“{{key}}” has tags: draw it by t.rich." },
  },
  create(context) {
    const { program, esTreeNodeToTSNodeMap } = context.sourceCode.parserServices;
    const checker = program.getTypeChecker();
    const tagged = taggedKeys();
    return {
      "CallExpression[callee.type='Identifier'][arguments.length>0]"(node) {
        const call = esTreeNodeToTSNodeMap.get(node);
        const { aliasSymbol, aliasTypeArguments } = checker.getTypeAtLocation(call.expression);
        if (aliasSymbol?.name !== "Translator") return;
        const [, namespace] = aliasTypeArguments;
        const key = checker.getTypeOfSymbol(checker.getResolvedSignature(call).parameters[0]);
        for (const inside of literals(namespace, [""]))
          for (const name of literals(key, [])) {
            const whole = inside ? `${inside}.${name}` : name;
            if (tagged.has(whole))
              context.report({ node, messageId: "tags", data: { key: whole } });
          }
      },
    };
  },
};

/** The strings that a type allows; `none` where it is no string, as the namespace of all messages. */
function literals(type, none) {
  const all = (type.isUnion() ? type.types : [type]).flatMap((one) =>
    one.isStringLiteral() ? [one.value] : [],
  );
  return all.length > 0 ? all : none;
}

let known;

function taggedKeys() {
  return (known ??= new Set(
    readdirSync(folder).flatMap((file) =>
      pathsOf(JSON.parse(readFileSync(folder + file, "utf8")), path.parse(file).name),
    ),
  ));
}

function pathsOf(message, at) {
  if (typeof message === "string") return /<\w+>/.test(message) ? [at] : [];
  return Object.entries(message).flatMap(([name, inner]) => pathsOf(inner, `${at}.${name}`));
}
