import React, { useState } from 'react'
import * as icons from './icons'

/** Props of the button. */
export interface ButtonProps { label: string; onClick?: () => void }

export const identity = <T,>(x: T) => x
export const pick = <T extends object>(x: T): T => x
export type Mapper = <T>(list: T[]) => T[]
export const Button = ({ label, onClick }: ButtonProps) => {
  const [n, setN] = useState<number>(0)
  return (
    <>
      <icons.Star size={2} {...{ n }} title="it's" data-x='}' />
      {/* don't stop */}
      <button onClick={() => { setN(n + 1); onClick?.() }} disabled={n > 3 && n < 9}>
        It&apos;s {label} // not a comment /* nor this */ `nor this
        {n > 1 ? <b>(many): {n}</b> : <List<string> items={[]} />}
      </button>
    </>
  )
}
export default React.memo(function Memo(props: ButtonProps) { return <div>{props.label}</div> })
export function After(): JSX.Element { return <p>text</p> }
