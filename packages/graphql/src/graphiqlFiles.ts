/** The page's files: their names below the path, the packages and files that they come from, and their types. */
export const graphiqlFiles = {
  "react.js": ["react", "umd/react.production.min.js", "text/javascript"],
  "react-dom.js": ["react-dom", "umd/react-dom.production.min.js", "text/javascript"],
  "graphiql.js": ["graphiql", "graphiql.min.js", "text/javascript"],
  "graphiql.css": ["graphiql", "graphiql.min.css", "text/css"]
} as const
