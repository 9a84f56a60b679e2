export default {
  condottiere: {
    input: "../../../openapi/openapi.json",
    output: {
      client: "fetch",
      mode: "split",
      target: "generated/api.ts",
      schemas: "generated/model",
      headers: true,
      baseUrl: { runtime: "process.env.CONDOTTIERE_URL" },
      override: {
        // Functions return the body of the response, and throw an error if the response is a problem.
        fetch: { includeHttpResponseReturnType: false, forceSuccessResponse: true },
      },
    },
  },
};
