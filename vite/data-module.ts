/** A module of plain data, as a plugin answers with it. */
export const dataModule = (values: Readonly<Record<string, unknown>>) =>
  ({
    code: Object.entries(values)
      .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
      .join('\n'),
    moduleType: 'js',
    map: null,
  }) as const
