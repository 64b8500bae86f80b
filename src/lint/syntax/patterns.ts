import type { Node } from "./node.ts";

/** True where a pattern binds `name`. */
export function bindsName(pattern: Node, name: Node): boolean {
  switch (pattern.type) {
    case "Identifier":
      return pattern === name;
    case "TSParameterProperty":
      return bindsName(pattern.parameter, name);
    case "AssignmentPattern":
      return bindsName(pattern.left, name);
    case "RestElement":
      return bindsName(pattern.argument, name);
    case "ArrayPattern":
      return pattern.elements.some((element) => element !== null && bindsName(element, name));
    case "ObjectPattern":
      return pattern.properties.some((property) =>
        bindsName(property.type === "Property" ? property.value : property, name),
      );
    default:
      return false;
  }
}
