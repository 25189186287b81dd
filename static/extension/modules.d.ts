// The build gives imports of style sheets as texts, for shadow roots.
declare module '*.css' {
  const text: string;
  export default text;
}
