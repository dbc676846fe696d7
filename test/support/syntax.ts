/** Small questions about the syntax tree. */

import ts from 'typescript';

/** The name of the free-standing variable that a node reads, or null; `a.name` is no variable. */
export function globalName(node: ts.Node): string | null {
  if (!ts.isIdentifier(node)) return null;
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) {
    return parent.expression.getText() === 'globalThis' ? node.text : null;
  }
  const isMember = ts.isTypeElement(parent) || ts.isClassElement(parent) || isProperty(parent);
  return isMember && parent.name === node ? null : node.text;
}

function isProperty(node: ts.Node): node is ts.PropertyAssignment | ts.MethodDeclaration {
  return ts.isPropertyAssignment(node) || ts.isMethodDeclaration(node);
}

/** The first word of what a call calls: `describe` for `describe.each(all)(…)`, else null. */
export function calleeName(call: ts.CallExpression): string | null {
  let callee: ts.Expression = call.expression;
  while (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee)) {
    callee = callee.expression;
  }
  return ts.isIdentifier(callee) ? callee.text : null;
}
