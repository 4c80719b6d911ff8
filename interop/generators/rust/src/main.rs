//! The generator of rmcp: a server with a tool for each construct, and a client.
//!
//!     generator serve             the server, over stdio
//!     generator cases             the constructs, with arguments, as JSON
//!     generator client COMMAND…   the client: lists, and makes the calls that stdin has

mod constructs;
mod kinds;

use std::{collections::BTreeMap, error::Error, io};

use rmcp::handler::server::{
    common::{schema_for_empty_input, schema_for_input, schema_for_output},
    router::tool::{ToolRoute, ToolRouter},
    wrapper::{Json, Parameters},
};
use rmcp::model::{CallToolRequestParams, JsonObject, Tool};
use rmcp::{ServerHandler, ServiceExt, tool_handler, transport};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

/// A tool with its arguments. `route` fails if the SDK makes no schema of its type.
pub struct Construct {
    tool: &'static str,
    arguments: Value,
    route: Box<dyn Fn() -> Result<ToolRoute<Server>, String>>,
}

/// A tool that takes a value of the type and returns it.
pub fn of<T>(tool: &'static str, arguments: Value) -> Construct
where
    T: JsonSchema + DeserializeOwned + Serialize + Send + 'static,
{
    let route = move || {
        let described = described(tool, schema_for_input::<T>()?).with_raw_output_schema(schema_for_output::<T>());
        Ok(ToolRoute::new(described, |Parameters(value): Parameters<T>| Json(value)))
    };
    Construct { tool, arguments, route: Box::new(route) }
}

/// A tool without arguments that returns what a function does.
pub fn returns<T>(tool: &'static str, result: fn() -> T) -> Construct
where
    T: JsonSchema + Serialize + Send + 'static,
{
    let route = move || {
        let described = described(tool, schema_for_empty_input());
        Ok(ToolRoute::new(described.with_raw_output_schema(schema_for_output::<T>()), move || Json(result())))
    };
    Construct { tool, arguments: json!({}), route: Box::new(route) }
}

fn described(tool: &'static str, input: std::sync::Arc<JsonObject>) -> Tool {
    Tool::new(tool, format!("Returns {tool}."), input)
}

pub struct Server {
    router: ToolRouter<Self>,
}

#[tool_handler(router = self.router)]
impl ServerHandler for Server {}

/// The server, its constructs, and the reasons for those that it cannot publish.
fn published() -> (Server, Vec<Construct>, BTreeMap<&'static str, String>) {
    let (mut router, mut kept, mut left) = (ToolRouter::new(), Vec::new(), BTreeMap::new());
    for c in constructs::all() {
        match (c.route)() {
            Ok(route) => {
                router.add_route(route);
                kept.push(c);
            }
            Err(reason) => {
                left.insert(c.tool, reason);
            }
        }
    }
    (Server { router }, kept, left)
}

#[derive(Deserialize)]
struct Case {
    tool: String,
    arguments: JsonObject,
}

async fn client(command: &str, args: &[String]) -> Result<Value, Box<dyn Error>> {
    let mut server = tokio::process::Command::new(command);
    server.args(args);
    let session = ().serve(transport::TokioChildProcess::new(server)?).await?;
    let mut said = match session.list_all_tools().await {
        Ok(tools) => json!({ "tools": tools }),
        Err(e) => json!({ "error": e.to_string() }),
    };
    let mut results = JsonObject::new();
    for case in serde_json::from_reader::<_, Vec<Case>>(io::stdin())? {
        let call = CallToolRequestParams::new(case.tool.clone()).with_arguments(case.arguments);
        let result = match session.call_tool(call).await {
            Ok(result) => json!(result),
            Err(e) => json!({ "error": e.to_string() }),
        };
        results.insert(case.tool, result);
    }
    session.cancel().await?;
    said["results"] = results.into();
    Ok(said)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["serve"] => {
            published().0.serve(transport::stdio()).await?.waiting().await?;
        }
        ["cases"] => {
            let (_, kept, left) = published();
            let cases: Vec<_> = kept.iter().map(|c| json!({ "tool": c.tool, "arguments": c.arguments })).collect();
            println!("{}", json!({ "cases": cases, "left": left }));
        }
        ["client", command, ..] => println!("{}", client(command, &args[2..]).await?),
        _ => return Err("serve, cases or client COMMAND".into()),
    }
    Ok(())
}
