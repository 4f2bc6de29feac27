/** JavaScript for the editor. Colours go by what the site's code listings do: an object before its member, a name where it is declared. */
import { javascriptLanguage } from '@codemirror/lang-javascript'
import { styleTags, tags } from '@lezer/highlight'

const constant = tags.constant(tags.variableName)

export const javascript = javascriptLanguage.configure({
  props: [
    styleTags({
      'VariableDeclaration/VariableDefinition': constant,
      'VariableDeclaration/ArrayPattern/VariableDefinition': constant,
      'VariableDeclaration/ObjectPattern/PatternProperty/VariableDefinition': constant,
      'ForOfSpec/VariableDefinition': constant,
      'MemberExpression/VariableName': constant,
      'MemberExpression/MemberExpression/PropertyName': constant,
      'Property/PropertyDefinition': tags.variableName,
      'NewExpression/VariableName': tags.function(tags.variableName),
      'InterpolationStart InterpolationEnd': tags.operator,
      Arrow: tags.operator,
      'get set async static': tags.keyword,
    }),
  ],
})
