/** The functions of papaparse that we call. `@types/papaparse` would add all types of Node to the app. */
declare module 'papaparse' {
  type ParseOptions = { delimiter: string; newline: string };
  type ParseError = { type: string; /** The row's index in `data`. */ row?: number };
  type WriteOptions = ParseOptions & { escapeFormulae: RegExp };
  const papa: {
    parse: (text: string, options: ParseOptions) => { data: string[][]; errors: readonly ParseError[] };
    unparse: (rows: string[][], options: WriteOptions) => string;
  };
  export default papa;
}
