/** One of a few things to be seen in the same place: buttons of which one is pressed. */
export const Tabs = <Id extends string>({
  label,
  tabs,
  shown,
  onShow,
  className = '',
}: {
  readonly label: string
  readonly tabs: readonly { readonly id: Id; readonly label: string }[]
  readonly shown: Id
  readonly onShow: (id: Id) => void
  readonly className?: string
}) => (
  <div className={`file-tabs cluster-4 ${className}`} role="group" aria-label={label}>
    {tabs.map((tab) => (
      <button
        key={tab.id}
        type="button"
        className="file-tab quiet small"
        aria-pressed={tab.id === shown}
        onClick={() => onShow(tab.id)}
      >
        {tab.label}
      </button>
    ))}
  </div>
)
