import type { ReactNode } from 'react'

interface HeadRowProps {
  readonly columns: readonly ReactNode[]
  /** Of a column's head, by its number. */
  readonly classAt?: Readonly<Record<number, string>>
  /** The column that rows are sorted by. */
  readonly sortAt?: Readonly<Record<number, 'ascending' | 'descending'>>
}

const HeadRow = ({ columns, classAt = {}, sortAt = {} }: HeadRowProps) => (
  <thead>
    <tr>
      {columns.map((head, index) => (
        <th key={index} scope="col" className={classAt[index]} aria-sort={sortAt[index]}>
          {head}
        </th>
      ))}
    </tr>
  </thead>
)

interface ScrollTableProps extends HeadRowProps {
  /** Cells of each; the first names the row. */
  readonly rows?: readonly (readonly ReactNode[])[]
  readonly label: string
  readonly className: string
  readonly caption?: ReactNode
  readonly boxClass?: string
  /** In the box, under the table. */
  readonly below?: ReactNode
  /** Its bodies, where they are more than rows. */
  readonly children?: ReactNode
  readonly 'data-testid'?: string
}

/**
 * A table that scrolls sideways where the page is narrow: by keyboard too, so its box takes the
 * focus.
 */
export const ScrollTable = (props: ScrollTableProps) => {
  const { columns, classAt = {}, sortAt = {}, ...others } = props
  const { label, className, caption, boxClass = '', below, rows, children, ...rest } = others
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={`table-scroll ${boxClass}`} tabIndex={0} role="region" aria-label={label}>
      <table className={className} {...rest}>
        {caption !== undefined && <caption>{caption}</caption>}
        <HeadRow {...{ columns, classAt, sortAt }} />
        {rows && (
          <tbody>
            {rows.map(([name, ...cells], row) => (
              <tr key={row}>
                <th scope="row" className={classAt[0]}>
                  {name}
                </th>
                {cells.map((cell, index) => (
                  <td key={index} className={classAt[index + 1]}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        )}
        {children}
      </table>
      {below}
    </div>
  )
}
