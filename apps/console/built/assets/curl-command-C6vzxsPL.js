function e(e,t,n=0){return`curl ${e} \\
  -H "Authorization: Bearer $MODELWIRE_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify(t,null,n).replaceAll(`'`,`'\\''`)}'`}export{e as t};