/**
 * Findings of `lab check` as SARIF 2.1.0, which GitHub's code scanning and editors show at their
 * lines.
 */
import { RULES } from '../src/check/rules'
import type { Finding } from '../src/check/check'

interface File {
  readonly file: string
  readonly findings: readonly Finding[]
}

export const sarifOf = (files: readonly File[]) => ({
  $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
  version: '2.1.0',
  runs: [
    {
      tool: {
        driver: {
          name: 'host-device-lab',
          rules: RULES.map(({ id, title, why, unless, instead, sources }) => ({
            id,
            shortDescription: { text: title },
            fullDescription: { text: `${why} ${unless}` },
            help: { text: instead },
            helpUri: sources[0],
          })),
        },
      },
      results: files.flatMap(({ file, findings }) => findings.map((finding) => resultOf(file, finding))),
    },
  ],
})

const resultOf = (file: string, finding: Finding) => {
  const { rule, title, text, fix, line, column, endLine, endColumn } = finding
  const artifactLocation = { uri: file.replaceAll('\\', '/') }
  return {
    ruleId: rule,
    ruleIndex: RULES.findIndex(({ id }) => id === rule),
    level: 'warning',
    message: { text: `${title}. ${text} ${fix.instead}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation,
          // Columns count from 1.
          region: {
            startLine: line,
            startColumn: column + 1,
            endLine,
            endColumn: endColumn + 1,
          },
        },
      },
    ],
  }
}
